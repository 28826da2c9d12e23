-- What Solo remembers: each with who said it, when and where, how sure it is, until when it holds, and what it took the
-- place of. A value that another took the place of stays, as history. Facts of before move here; facts stays empty.

-- +goose Up
CREATE TABLE memories (
    user_id    BIGINT           NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id         BIGINT           NOT NULL,
    key        TEXT             NOT NULL, -- JSON: the ID that it was imported under, '' for none
    kind       TEXT             NOT NULL CHECK (kind IN ('profile', 'preference', 'episode', 'fact', 'note')),
    subject    TEXT             NOT NULL, -- what it is the value of, '' where that is not known
    text       TEXT             NOT NULL,
    near       TEXT             NOT NULL, -- what was said right before and after it
    session    TEXT             NOT NULL, -- the talk that it was said in
    turn       BIGINT           NOT NULL, -- id of a message of that talk, 0 for none
    source     TEXT             NOT NULL, -- who said it, or where it was read
    confidence DOUBLE PRECISION NOT NULL, -- 0 to 1
    at         BIGINT           NOT NULL,
    expires    BIGINT           NOT NULL, -- 0 for never
    supersedes BIGINT           NOT NULL, -- id of the value before, 0 for none
    replaced   BIGINT           NOT NULL, -- since when another value holds, 0 where this one does
    PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX memories_key ON memories (user_id, key) WHERE key <> '';
CREATE INDEX memories_at ON memories (user_id, replaced, at, id);
CREATE INDEX memories_kind ON memories (user_id, kind, replaced, at, id);
CREATE INDEX memories_session ON memories (user_id, session, at, id);

CREATE TABLE vectors (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT NOT NULL, -- of a memory
    model   TEXT   NOT NULL, -- that made it: vectors of two models do not compare
    vector  BYTEA  NOT NULL, -- float32, little endian
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, id) REFERENCES memories (user_id, id) ON DELETE CASCADE
);

INSERT INTO memories (user_id, id, key, kind, subject, text, near, session, turn, source, confidence, at, expires, supersedes, replaced)
SELECT user_id, id, '', 'fact', '', text, '', '', 0, source, 1, at, 0, 0, 0 FROM facts;
DELETE FROM facts;

-- +goose Down
INSERT INTO facts (user_id, id, text, source, at)
SELECT user_id, id, text, source, at FROM memories WHERE replaced = 0 AND kind <> 'episode';
DROP TABLE vectors;
DROP TABLE memories;
