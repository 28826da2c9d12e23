-- name: PutShelf :one
INSERT INTO shelves (user_id, id, path, added) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, path) DO UPDATE SET path = excluded.path
RETURNING *;

-- name: ListShelves :many
SELECT * FROM shelves WHERE user_id = $1 ORDER BY path;

-- name: RemoveShelf :execrows
DELETE FROM shelves WHERE user_id = $1 AND path = $2;

-- name: PutDocument :one
INSERT INTO documents (user_id, id, path, bytes, modified, text_id, why, away, added)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (user_id, path) DO UPDATE SET bytes = excluded.bytes, modified = excluded.modified, text_id = excluded.text_id,
    why = excluded.why, away = excluded.away
RETURNING *;

-- name: ListDocuments :many
SELECT * FROM documents WHERE user_id = $1 ORDER BY path;

-- name: RemoveDocument :execrows
DELETE FROM documents WHERE user_id = $1 AND path = $2;

-- name: FindText :one
SELECT * FROM texts WHERE user_id = $1 AND hash = $2;

-- name: ListTexts :many
SELECT * FROM texts WHERE user_id = $1 ORDER BY id;

-- name: PutText :one
INSERT INTO texts (user_id, id, hash, kind, title, pages, chunks, partial, why, version, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING *;

-- name: RemoveText :execrows
DELETE FROM texts WHERE user_id = $1 AND id = $2;

-- name: IdleTexts :many
SELECT texts.id FROM texts LEFT JOIN documents ON documents.user_id = $1 AND documents.text_id = texts.id
WHERE texts.user_id = $1 AND documents.id IS NULL;

-- name: CountNames :one
SELECT count(*) FROM documents WHERE user_id = $1 AND text_id = $2;

-- name: AddChunk :exec
INSERT INTO chunks (user_id, id, text_id, page, heading, title, begins, ends, text) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: GetChunk :one
SELECT * FROM chunks WHERE user_id = $1 AND id = $2;

-- name: ChunksOf :many
SELECT * FROM chunks WHERE user_id = $1 AND text_id = $2 ORDER BY id;

-- name: RemoveChunks :execrows
DELETE FROM chunks WHERE user_id = $1 AND text_id = $2;

-- name: CountChunks :one
SELECT count(*) FROM chunks WHERE user_id = $1;

-- name: PutChunkVector :exec
INSERT INTO chunk_vectors (user_id, chunk_id, model, vector) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, chunk_id) DO UPDATE SET model = excluded.model, vector = excluded.vector;

-- name: ChunkVectors :many
SELECT chunk_id, vector FROM chunk_vectors WHERE user_id = $1 AND model = $2 AND chunk_id > $3 ORDER BY chunk_id LIMIT $4;

-- name: BareChunks :many
SELECT chunks.* FROM chunks LEFT JOIN chunk_vectors ON chunk_vectors.user_id = $1 AND chunk_vectors.chunk_id = chunks.id AND chunk_vectors.model = $2
WHERE chunks.user_id = $1 AND chunks.id > $3 AND chunk_vectors.chunk_id IS NULL ORDER BY chunks.id LIMIT $4;
