-- What the user had forgotten. A backup made before may still hold it, so a restore takes it away again.

-- +goose Up
CREATE TABLE erased (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind    TEXT   NOT NULL, -- the table it was in
    id      BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, id)
);

-- +goose Down
DROP TABLE erased;
