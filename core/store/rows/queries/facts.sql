-- name: PutFact :one
INSERT INTO facts (user_id, id, text, source, at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, id) DO UPDATE SET text = excluded.text, source = excluded.source, at = excluded.at
RETURNING *;

-- name: ListFacts :many
SELECT * FROM facts WHERE user_id = $1 ORDER BY at DESC, id DESC;

-- name: RemoveFact :one
DELETE FROM facts WHERE user_id = $1 AND id = $2 RETURNING *;
