-- name: AddTurn :one
INSERT INTO turns (user_id, id, at, heard, reply, spoken, outcome, endpoint_us, stt_us, think_us, first_audio_us)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING *;

-- name: ListTurns :many
SELECT * FROM turns WHERE user_id = $1 AND id < $2 ORDER BY at DESC, id DESC LIMIT $3;
