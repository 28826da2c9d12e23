-- name: PutJob :one
INSERT INTO jobs (user_id, id, kind, title, input, saved, state, progress, doing, result, why, approval, origin, tries, created, changed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
ON CONFLICT (user_id, id) DO UPDATE SET kind = excluded.kind, title = excluded.title, input = excluded.input,
    saved = excluded.saved, state = excluded.state, progress = excluded.progress, doing = excluded.doing,
    result = excluded.result, why = excluded.why, approval = excluded.approval, origin = excluded.origin,
    tries = excluded.tries, created = excluded.created, changed = excluded.changed
RETURNING *;

-- name: GetJob :one
SELECT * FROM jobs WHERE user_id = $1 AND id = $2;

-- name: ListJobs :many
SELECT * FROM jobs WHERE user_id = $1 ORDER BY id DESC LIMIT $2;

-- name: JobsIn :many
SELECT * FROM jobs WHERE user_id = $1 AND state = $2 ORDER BY id;
