-- name: PutProject :one
INSERT INTO projects (user_id, id, parent, name, status, priority, domain, progress, reviewed, created, changed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (user_id, id) DO UPDATE SET parent = excluded.parent, name = excluded.name, status = excluded.status,
    priority = excluded.priority, domain = excluded.domain, progress = excluded.progress, reviewed = excluded.reviewed,
    created = excluded.created, changed = excluded.changed
RETURNING *;

-- name: ListProjects :many
SELECT * FROM projects WHERE user_id = $1 ORDER BY id;

-- name: RemoveProject :one
DELETE FROM projects WHERE user_id = $1 AND id = $2 RETURNING id;
