-- name: PutTask :one
INSERT INTO tasks (user_id, id, description, due, tags, status, created, finished, project, stuck, changed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (user_id, id) DO UPDATE SET description = excluded.description, due = excluded.due, tags = excluded.tags,
    status = excluded.status, created = excluded.created, finished = excluded.finished, project = excluded.project,
    stuck = excluded.stuck, changed = excluded.changed
RETURNING *;

-- name: GetTask :one
SELECT * FROM tasks WHERE user_id = $1 AND id = $2;

-- name: ListOpenTasks :many
SELECT * FROM tasks WHERE user_id = $1 AND status <> 'done' ORDER BY id;

-- name: ListDoneTasks :many
SELECT * FROM tasks WHERE user_id = $1 AND status = 'done' AND finished >= $2 ORDER BY finished DESC, id DESC LIMIT $3;

-- name: CountTasks :many
SELECT project, status, count(*) AS tasks FROM tasks WHERE user_id = $1 AND project IS NOT NULL GROUP BY project, status;

-- name: RemoveTask :one
DELETE FROM tasks WHERE user_id = $1 AND id = $2 RETURNING id;
