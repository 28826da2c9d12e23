-- The rows of the library: where the user's documents lie, what they say, and the passages that are searched. The same
-- content under several names is one text.

-- +goose Up
CREATE TABLE shelves (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT NOT NULL,
    path    TEXT   NOT NULL, -- of a folder that is watched, or of a file
    added   BIGINT NOT NULL,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, path)
);

CREATE TABLE texts (
    user_id BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT  NOT NULL,
    hash    TEXT    NOT NULL, -- SHA-256 of the file
    kind    TEXT    NOT NULL,
    title   TEXT    NOT NULL,
    pages   BIGINT  NOT NULL,
    chunks  BIGINT  NOT NULL,
    partial BOOLEAN NOT NULL, -- there was more than is read
    why     TEXT    NOT NULL, -- it could not be read, '' if it was
    version BIGINT  NOT NULL, -- of what took it apart
    at      BIGINT  NOT NULL,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, hash)
);

CREATE TABLE documents (
    user_id  BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id       BIGINT  NOT NULL,
    path     TEXT    NOT NULL,
    bytes    BIGINT  NOT NULL,
    modified BIGINT  NOT NULL, -- microseconds since 1970
    text_id  BIGINT  NOT NULL, -- 0 before it was read
    why      TEXT    NOT NULL, -- the file could not be opened
    away     BOOLEAN NOT NULL, -- the user wants it left out
    added    BIGINT  NOT NULL,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, path)
);
CREATE INDEX documents_text ON documents (user_id, text_id);

CREATE TABLE chunks (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT NOT NULL,
    text_id BIGINT NOT NULL,
    page    BIGINT NOT NULL,
    heading TEXT   NOT NULL, -- the headings above it, the highest first
    title   TEXT   NOT NULL, -- of its document
    begins  BIGINT NOT NULL, -- characters of its page
    ends    BIGINT NOT NULL,
    text    TEXT   NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, text_id) REFERENCES texts (user_id, id) ON DELETE CASCADE
);
CREATE INDEX chunks_text ON chunks (user_id, text_id, id);

CREATE TABLE chunk_vectors (
    user_id  BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    chunk_id BIGINT NOT NULL,
    model    TEXT   NOT NULL,
    vector   BYTEA  NOT NULL, -- 32-bit floats, little-endian
    PRIMARY KEY (user_id, chunk_id),
    FOREIGN KEY (user_id, chunk_id) REFERENCES chunks (user_id, id) ON DELETE CASCADE
);

-- +goose Down
DROP TABLE chunk_vectors;
DROP TABLE chunks;
DROP TABLE documents;
DROP TABLE texts;
DROP TABLE shelves;
