-- What Solo did: every call of a tool, whoever asked for it.

-- +goose Up
CREATE TABLE executions (
    user_id   BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id        BIGINT NOT NULL,
    at        BIGINT NOT NULL, -- when it ended
    tool      TEXT   NOT NULL,
    arguments TEXT   NOT NULL, -- JSON
    status    TEXT   NOT NULL, -- 'ok', 'asked', 'denied' or 'failed'
    source    TEXT   NOT NULL, -- what of strangers it read, '' for nothing
    took_us   BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX executions_at ON executions (user_id, at);

-- +goose Down
DROP TABLE executions;
