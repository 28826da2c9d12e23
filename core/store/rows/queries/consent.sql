-- name: AddApproval :exec
INSERT INTO approvals (user_id, id, tool, class, arguments, provider, model, purpose, messages, digest, say, state, asked, until, decided)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: GetApproval :one
SELECT * FROM approvals WHERE user_id = $1 AND id = $2;

-- name: ListApprovals :many
SELECT * FROM approvals WHERE user_id = $1 AND state = $2 AND until > $3 ORDER BY asked, id;

-- name: MoveApproval :execrows
UPDATE approvals SET state = sqlc.arg(after), until = sqlc.arg(until), decided = sqlc.arg(at)
WHERE user_id = sqlc.arg(user_id) AND id = sqlc.arg(id) AND state = sqlc.arg(before) AND approvals.until > sqlc.arg(now);

-- name: PutPermission :exec
INSERT INTO permissions (user_id, provider, at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, provider) DO UPDATE SET at = excluded.at;

-- name: ListPermissions :many
SELECT * FROM permissions WHERE user_id = $1 ORDER BY provider;

-- name: RemovePermission :execrows
DELETE FROM permissions WHERE user_id = $1 AND provider = $2;

-- name: AddEntry :one
INSERT INTO ledger (user_id, id, at, provider, model, purpose, approval, content, digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING *;

-- name: ListLedger :many
SELECT * FROM ledger WHERE user_id = $1 ORDER BY id DESC LIMIT $2;
