-- name: PutMemory :one
INSERT INTO memories (user_id, id, key, kind, subject, text, near, session, turn, source, confidence, at, expires, supersedes, replaced)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (user_id, id) DO UPDATE SET key = excluded.key, kind = excluded.kind, subject = excluded.subject, text = excluded.text,
    near = excluded.near, session = excluded.session, turn = excluded.turn, source = excluded.source, confidence = excluded.confidence,
    at = excluded.at, expires = excluded.expires, supersedes = excluded.supersedes, replaced = excluded.replaced
RETURNING *;

-- name: GetMemory :one
SELECT * FROM memories WHERE user_id = $1 AND id = $2;

-- name: FindMemory :one
SELECT * FROM memories WHERE user_id = $1 AND key = $2;

-- name: MemoriesAfter :many
SELECT * FROM memories WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: LatestMemories :many
SELECT * FROM memories WHERE user_id = $1 AND replaced = 0 ORDER BY at DESC, id DESC LIMIT $2;

-- name: LatestOfKind :many
SELECT * FROM memories WHERE user_id = $1 AND kind = $2 AND replaced = 0 ORDER BY at DESC, id DESC LIMIT $3;

-- name: LastOfSession :many
SELECT * FROM memories WHERE user_id = $1 AND session = $2 AND at <= $3 ORDER BY at DESC, id DESC LIMIT 1;

-- name: MemoriesAbout :many
SELECT * FROM memories WHERE user_id = $1 AND subject = $2 AND replaced = 0 ORDER BY at DESC, id DESC LIMIT 20;

-- name: SetNear :exec
UPDATE memories SET near = $1 WHERE user_id = $2 AND id = $3;

-- name: ReplaceMemory :execrows
UPDATE memories SET replaced = $1 WHERE user_id = $2 AND id = $3;

-- name: RemoveMemory :one
DELETE FROM memories WHERE user_id = $1 AND id = $2 RETURNING *;

-- name: CountMemories :one
SELECT count(*) AS count, CAST(COALESCE(MIN(id), 0) AS BIGINT) AS low, CAST(COALESCE(MAX(id), 0) AS BIGINT) AS high FROM memories WHERE user_id = $1;

-- name: PutVector :exec
INSERT INTO vectors (user_id, id, model, vector) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, id) DO UPDATE SET model = excluded.model, vector = excluded.vector;

-- name: VectorsAfter :many
SELECT id, vector FROM vectors WHERE user_id = $1 AND model = $2 AND id > $3 ORDER BY id LIMIT $4;

-- name: MemoriesWithoutVector :many
SELECT id, text FROM memories WHERE memories.user_id = $1 AND memories.replaced = 0 AND memories.id > $2 AND NOT EXISTS (
    SELECT 1 FROM vectors WHERE vectors.user_id = $1 AND vectors.id = memories.id AND vectors.model = $3)
ORDER BY id LIMIT $4;
