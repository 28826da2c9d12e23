-- name: AddExecution :one
INSERT INTO executions (user_id, id, at, tool, arguments, status, source, took_us)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING *;

-- name: ListExecutions :many
SELECT * FROM executions WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3;

-- name: ExecutionsFrom :many
SELECT id, arguments, source FROM executions WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: RemoveExecution :exec
DELETE FROM executions WHERE user_id = $1 AND id = $2;

-- name: PruneExecutions :execrows
DELETE FROM executions WHERE user_id = $1 AND at < $2;
