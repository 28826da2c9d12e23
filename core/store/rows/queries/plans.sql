-- name: PutPlan :one
INSERT INTO plans (user_id, id, kind, text, at, every, zone, first_at, state, missed, created)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (user_id, id) DO UPDATE SET kind = excluded.kind, text = excluded.text, at = excluded.at, every = excluded.every,
    zone = excluded.zone, first_at = excluded.first_at, state = excluded.state, missed = excluded.missed,
    created = excluded.created
RETURNING *;

-- name: GetPlan :one
SELECT * FROM plans WHERE user_id = $1 AND id = $2;

-- name: ListPlans :many
SELECT * FROM plans WHERE user_id = $1 AND state = $2 ORDER BY at, id;
