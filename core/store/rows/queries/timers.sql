-- name: PutTimer :one
INSERT INTO timers (user_id, id, kind, text, at, length_us, every, zone, first_at, state, missed, created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (user_id, id) DO UPDATE SET kind = excluded.kind, text = excluded.text, at = excluded.at,
    length_us = excluded.length_us, every = excluded.every, zone = excluded.zone, first_at = excluded.first_at,
    state = excluded.state, missed = excluded.missed, created = excluded.created
RETURNING *;

-- name: GetTimer :one
SELECT * FROM timers WHERE user_id = $1 AND id = $2;

-- name: ListTimers :many
SELECT * FROM timers WHERE user_id = $1 AND state = $2 ORDER BY at, id;
