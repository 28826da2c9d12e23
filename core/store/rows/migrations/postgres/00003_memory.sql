-- The words of the memories. A tsvector holds at most a megabyte, so the end of a very long text is not searched.

-- +goose Up
ALTER TABLE memories ADD COLUMN words tsvector GENERATED ALWAYS AS (
    to_tsvector('english', translate(lower(left(text, 200000)), 'àáâãäåçčćèéêëěìíîïñńòóôõöøřšśùúûüůýÿžźż', 'aaaaaaccceeeeeiiiinnoooooorssuuuuuyyzzz'))
    || to_tsvector('english', translate(lower(left(near, 20000)), 'àáâãäåçčćèéêëěìíîïñńòóôõöøřšśùúûüůýÿžźż', 'aaaaaaccceeeeeiiiinnoooooorssuuuuuyyzzz'))
) STORED;
CREATE INDEX memories_words ON memories USING gin (words);

-- +goose Down
DROP INDEX memories_words;
ALTER TABLE memories DROP COLUMN words;
