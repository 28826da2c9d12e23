-- name: PutErased :exec
INSERT INTO erased (user_id, kind, id, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, kind, id) DO UPDATE SET at = excluded.at;

-- name: ListErased :many
SELECT * FROM erased WHERE user_id = $1 ORDER BY at, kind, id;
