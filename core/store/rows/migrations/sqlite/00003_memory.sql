-- The words of the memories. A row's place in the index begins with its user, so that a search reads one user's part of
-- it. What is taken out is overwritten, not only marked.

-- +goose Up
CREATE VIEW memories_fts_rows AS SELECT user_id * 1099511627776 + id AS place, text, near FROM memories;
CREATE VIRTUAL TABLE memories_fts USING fts5 (text, near, content = 'memories_fts_rows', content_rowid = 'place', tokenize = 'porter unicode61 remove_diacritics 2');
INSERT INTO memories_fts (memories_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');

-- +goose StatementBegin
CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts (rowid, text, near) VALUES (new.user_id * 1099511627776 + new.id, new.text, new.near);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, text, near) VALUES ('delete', old.user_id * 1099511627776 + old.id, old.text, old.near);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER memories_fts_update AFTER UPDATE ON memories WHEN old.text <> new.text OR old.near <> new.near BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, text, near) VALUES ('delete', old.user_id * 1099511627776 + old.id, old.text, old.near);
    INSERT INTO memories_fts (rowid, text, near) VALUES (new.user_id * 1099511627776 + new.id, new.text, new.near);
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER memories_fts_update;
DROP TRIGGER memories_fts_delete;
DROP TRIGGER memories_fts_insert;
DROP TABLE memories_fts;
DROP VIEW memories_fts_rows;
