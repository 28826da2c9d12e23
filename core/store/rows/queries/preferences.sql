-- name: PutPreference :exec
INSERT INTO preferences (user_id, key, value, source, at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, source = excluded.source, at = excluded.at;

-- name: GetPreference :one
SELECT * FROM preferences WHERE user_id = $1 AND key = $2;

-- name: ListPreferences :many
SELECT * FROM preferences WHERE user_id = $1 ORDER BY key;
