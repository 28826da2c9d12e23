-- name: PruneTurns :execrows
DELETE FROM turns WHERE user_id = $1 AND at < $2;

-- name: PruneTimers :execrows
DELETE FROM timers WHERE user_id = $1 AND state IN ('done', 'cancelled') AND at < $2 AND created < $2;

-- name: PruneReminders :execrows
DELETE FROM reminders WHERE user_id = $1 AND state IN ('done', 'cancelled') AND at < $2 AND created < $2;

-- name: PruneApprovals :execrows
DELETE FROM approvals WHERE user_id = $1 AND until < $2 AND asked < $2;

-- name: PruneJobs :execrows
DELETE FROM jobs WHERE user_id = $1 AND state IN ('done', 'failed', 'cancelled') AND changed < $2;

-- name: PrunePlans :execrows
DELETE FROM plans WHERE user_id = $1 AND state IN ('done', 'cancelled') AND at < $2 AND created < $2;

-- name: PruneReceipts :execrows
DELETE FROM receipts WHERE user_id = $1 AND at < $2 AND made < $2;
