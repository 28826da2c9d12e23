-- The rows of work: tasks of a project and what they are stuck on, projects, routines, and what the user was nudged
-- about. A task may name a project that is gone: it belongs to none then, and to it again once it is restored.

-- +goose Up
CREATE TABLE tasks_before (
    user_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    description TEXT   NOT NULL,
    due         BIGINT,
    tags        TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    created     BIGINT NOT NULL,
    finished    BIGINT
);
INSERT INTO tasks_before (user_id, id, description, due, tags, status, created, finished)
SELECT user_id, id, description, due, tags, status, created, finished FROM tasks;
DROP TABLE tasks;

CREATE TABLE tasks (
    user_id     BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id          BIGINT NOT NULL,
    description TEXT   NOT NULL,
    due         BIGINT,
    tags        TEXT   NOT NULL, -- JSON array of strings
    status      TEXT   NOT NULL CHECK (status IN ('open', 'doing', 'blocked', 'done')),
    created     BIGINT NOT NULL,
    finished    BIGINT,
    project     BIGINT,          -- id of a project
    stuck       TEXT   NOT NULL, -- what it is blocked by
    changed     BIGINT NOT NULL, -- last change of status
    PRIMARY KEY (user_id, id)
);
CREATE INDEX tasks_status ON tasks (user_id, status);
CREATE INDEX tasks_finished ON tasks (user_id, finished);
INSERT INTO tasks (user_id, id, description, due, tags, status, created, finished, project, stuck, changed)
SELECT user_id, id, description, due, tags, status, created, finished, NULL, '', COALESCE(finished, created) FROM tasks_before;
DROP TABLE tasks_before;

CREATE TABLE projects (
    user_id  BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id       BIGINT NOT NULL,
    parent   BIGINT,          -- id of a project, NULL for none
    name     TEXT   NOT NULL,
    status   TEXT   NOT NULL CHECK (status IN ('active', 'paused', 'done', 'dropped')),
    priority BIGINT NOT NULL CHECK (priority BETWEEN 1 AND 5), -- 1 is the highest
    domain   TEXT   NOT NULL, -- 'health', 'family'; '' for none
    progress BIGINT CHECK (progress BETWEEN 0 AND 100), -- set by hand, NULL where it is reckoned
    reviewed BIGINT,
    created  BIGINT NOT NULL,
    changed  BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX projects_parent ON projects (user_id, parent);

CREATE TABLE routines (
    user_id BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT  NOT NULL,
    name    TEXT    NOT NULL, -- what the user says
    actions TEXT    NOT NULL, -- JSON array of actions
    model   BOOLEAN NOT NULL, -- a model made it, not the user's own words
    created BIGINT  NOT NULL,
    ran     BIGINT, -- last time
    PRIMARY KEY (user_id, id)
);

-- What the heartbeat has spoken of, so that it does so once.
CREATE TABLE nudges (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    about   TEXT   NOT NULL, -- 'task 12 due 1764000000000'
    at      BIGINT NOT NULL,
    PRIMARY KEY (user_id, about)
);

-- +goose Down
DROP TABLE nudges;
DROP TABLE routines;
DROP TABLE projects;

CREATE TABLE tasks_before (
    user_id     BIGINT NOT NULL,
    id          BIGINT NOT NULL,
    description TEXT   NOT NULL,
    due         BIGINT,
    tags        TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    created     BIGINT NOT NULL,
    finished    BIGINT
);
INSERT INTO tasks_before (user_id, id, description, due, tags, status, created, finished)
SELECT user_id, id, description, due, tags, CASE status WHEN 'done' THEN 'done' ELSE 'open' END, created, finished FROM tasks;
DROP TABLE tasks;

CREATE TABLE tasks (
    user_id     BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id          BIGINT NOT NULL,
    description TEXT   NOT NULL,
    due         BIGINT,
    tags        TEXT   NOT NULL, -- JSON array of strings
    status      TEXT   NOT NULL CHECK (status IN ('open', 'done')),
    created     BIGINT NOT NULL,
    finished    BIGINT,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX tasks_status ON tasks (user_id, status);
INSERT INTO tasks (user_id, id, description, due, tags, status, created, finished)
SELECT user_id, id, description, due, tags, status, created, finished FROM tasks_before;
DROP TABLE tasks_before;
