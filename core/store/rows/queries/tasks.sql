-- name: PutTask :one
INSERT INTO tasks (user_id, id, description, due, tags, status, created, finished)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (user_id, id) DO UPDATE SET description = excluded.description, due = excluded.due, tags = excluded.tags,
    status = excluded.status, created = excluded.created, finished = excluded.finished
RETURNING *;

-- name: GetTask :one
SELECT * FROM tasks WHERE user_id = $1 AND id = $2;

-- name: ListTasks :many
SELECT * FROM tasks WHERE user_id = $1 AND status = $2 ORDER BY id;

-- name: RemoveTask :one
DELETE FROM tasks WHERE user_id = $1 AND id = $2 RETURNING id;
