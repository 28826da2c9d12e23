-- The index of passages holds no text of its own. Its rowid is made of the user and the passage, so that one user's rows lie
-- together and a copy of the database keeps them. What is taken out of it is overwritten at once.

-- +goose Up
CREATE VIRTUAL TABLE chunks_fts USING fts5 (heading, text, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('secure-delete', 1);

-- +goose StatementBegin
CREATE TRIGGER chunks_come AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts (rowid, heading, text) VALUES ((new.user_id << 40) + new.id, new.title || ' ' || new.heading, new.text);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER chunks_go AFTER DELETE ON chunks BEGIN
    INSERT INTO chunks_fts (chunks_fts, rowid, heading, text)
    VALUES ('delete', (old.user_id << 40) + old.id, old.title || ' ' || old.heading, old.text);
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER chunks_go;
DROP TRIGGER chunks_come;
DROP TABLE chunks_fts;
