-- The index of passages.

-- +goose Up
ALTER TABLE chunks ADD COLUMN words tsvector GENERATED ALWAYS AS
    (setweight(to_tsvector('english', title || ' ' || heading), 'B') || setweight(to_tsvector('english', text), 'D')) STORED;
CREATE INDEX chunks_words ON chunks USING gin (words);

-- +goose Down
DROP INDEX chunks_words;
ALTER TABLE chunks DROP COLUMN words;
