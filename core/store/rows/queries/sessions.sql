-- name: TouchSession :exec
INSERT INTO sessions (user_id, name, summary, folded, at) VALUES ($1, $2, '', 0, $3)
ON CONFLICT (user_id, name) DO UPDATE SET at = excluded.at;

-- name: GetSession :one
SELECT * FROM sessions WHERE user_id = $1 AND name = $2;

-- name: ListSessions :many
SELECT * FROM sessions WHERE user_id = $1 ORDER BY at DESC, name LIMIT $2;

-- name: FoldSession :execrows
UPDATE sessions SET summary = $1, folded = $2 WHERE user_id = $3 AND name = $4 AND folded <= $2;

-- name: AddMessage :one
INSERT INTO messages (user_id, id, session, role, text, at, outside) VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING *;

-- name: FindMessage :one
SELECT id FROM messages WHERE user_id = $1 AND session = $2 AND id = $3;

-- name: MessagesAfter :many
SELECT * FROM messages WHERE user_id = $1 AND session = $2 AND id > $3 ORDER BY id;

-- name: LastMessages :many
SELECT * FROM messages WHERE user_id = $1 AND session = $2 ORDER BY id DESC LIMIT $3;

-- name: RemoveSession :execrows
DELETE FROM sessions WHERE user_id = $1 AND name = $2;
