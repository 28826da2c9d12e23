-- name: AddReceipt :exec
INSERT INTO receipts (user_id, id, kind, promise, at, step, channel, made, late_ms, again, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: ReceiptsOf :many
SELECT * FROM receipts WHERE user_id = $1 AND promise = $2 AND at = $3 ORDER BY id;

-- name: ListReceipts :many
SELECT * FROM receipts WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3;
