-- name: EnsureUser :one
INSERT INTO users (id, name, created)
SELECT COALESCE(MAX(users.id), 0) + 1, sqlc.arg(name), sqlc.arg(created) FROM users WHERE true
ON CONFLICT (name) DO UPDATE SET name = excluded.name
RETURNING id;

-- name: FindUser :one
SELECT id FROM users WHERE name = $1;

-- name: NextID :one
UPDATE users SET last_id = last_id + 1 WHERE id = $1 RETURNING last_id;

-- name: ReserveID :exec
UPDATE users SET last_id = $2 WHERE id = $1 AND last_id < $2;

-- name: NextIDs :one
UPDATE users SET last_id = last_id + $2 WHERE id = $1 RETURNING last_id;
