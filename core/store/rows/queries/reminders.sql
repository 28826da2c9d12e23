-- name: PutReminder :one
INSERT INTO reminders (user_id, id, text, at, every, zone, first_at, state, missed, created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (user_id, id) DO UPDATE SET text = excluded.text, at = excluded.at, every = excluded.every,
    zone = excluded.zone, first_at = excluded.first_at, state = excluded.state, missed = excluded.missed,
    created = excluded.created
RETURNING *;

-- name: GetReminder :one
SELECT * FROM reminders WHERE user_id = $1 AND id = $2;

-- name: ListReminders :many
SELECT * FROM reminders WHERE user_id = $1 AND state = $2 ORDER BY at, id;
