-- name: MessagesFrom :many
SELECT id, text FROM messages WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: RemoveMessage :exec
DELETE FROM messages WHERE user_id = $1 AND id = $2;

-- name: TurnsFrom :many
SELECT id, heard, reply, spoken FROM turns WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: RemoveTurn :exec
DELETE FROM turns WHERE user_id = $1 AND id = $2;

-- name: SummariesOf :many
SELECT name, summary FROM sessions WHERE user_id = $1 AND summary <> '';

-- name: SetSummary :exec
UPDATE sessions SET summary = $1 WHERE user_id = $2 AND name = $3;

-- name: NearIn :many
SELECT id, near FROM memories WHERE user_id = $1 AND session = $2 AND near <> '';

-- name: JobsOver :many
SELECT id, title, input, saved, result, why FROM jobs WHERE user_id = $1 AND state IN ('done', 'failed', 'cancelled');

-- name: RemoveJob :exec
DELETE FROM jobs WHERE user_id = $1 AND id = $2;

-- name: ApprovalsOver :many
SELECT id, arguments, messages, say FROM approvals WHERE user_id = $1 AND state <> 'open';

-- name: RemoveApproval :exec
DELETE FROM approvals WHERE user_id = $1 AND id = $2;

-- name: LedgerOf :many
SELECT id, content FROM ledger WHERE user_id = $1;

-- name: BlankLedger :exec
UPDATE ledger SET content = '[]' WHERE user_id = $1 AND id = $2;

-- name: UnburyMemory :exec
DELETE FROM erased WHERE user_id = $1 AND kind = 'memories' AND id = $2;
