-- name: Tally :one
SELECT (SELECT count(*) FROM memories WHERE memories.user_id = $1 AND memories.replaced = 0) AS facts,
    (SELECT count(*) FROM tasks WHERE tasks.user_id = $1 AND tasks.status <> 'done') AS tasks,
    (SELECT count(*) FROM timers WHERE timers.user_id = $1 AND timers.state IN ('waiting', 'ringing')) AS timers,
    (SELECT count(*) FROM reminders WHERE reminders.user_id = $1 AND reminders.state IN ('waiting', 'ringing')) AS reminders;
