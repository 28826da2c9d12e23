-- name: PutRoutine :one
INSERT INTO routines (user_id, id, name, actions, model, created, ran)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (user_id, id) DO UPDATE SET name = excluded.name, actions = excluded.actions, model = excluded.model, created = excluded.created, ran = excluded.ran
RETURNING *;

-- name: ListRoutines :many
SELECT * FROM routines WHERE user_id = $1 ORDER BY id;

-- name: RemoveRoutine :one
DELETE FROM routines WHERE user_id = $1 AND id = $2 RETURNING id;

-- name: PutNudge :exec
INSERT INTO nudges (user_id, about, at) VALUES ($1, $2, $3) ON CONFLICT (user_id, about) DO NOTHING;

-- name: ListNudges :many
SELECT about FROM nudges WHERE user_id = $1 AND at >= $2 ORDER BY about;

-- name: DropNudges :exec
DELETE FROM nudges WHERE user_id = $1 AND at < $2;
