-- The rows of thinking: talks, long work, and what the user agreed to. JSON is kept as text, to the letter: an
-- approval is bound to it.

-- +goose Up
CREATE TABLE sessions (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name    TEXT   NOT NULL, -- '' is the talk by voice
    summary TEXT   NOT NULL, -- of the messages up to folded
    folded  BIGINT NOT NULL, -- id of a message, 0 for none
    at      BIGINT NOT NULL, -- of its newest message
    PRIMARY KEY (user_id, name)
);

CREATE TABLE messages (
    user_id BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT  NOT NULL,
    session TEXT    NOT NULL,
    role    TEXT    NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    text    TEXT    NOT NULL,
    at      BIGINT  NOT NULL,
    outside BOOLEAN NOT NULL, -- written by strangers
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, session) REFERENCES sessions (user_id, name) ON DELETE CASCADE
);
CREATE INDEX messages_session ON messages (user_id, session, id);

CREATE TABLE jobs (
    user_id  BIGINT           NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id       BIGINT           NOT NULL,
    kind     TEXT             NOT NULL,
    title    TEXT             NOT NULL,
    input    TEXT             NOT NULL, -- JSON
    saved    TEXT             NOT NULL, -- JSON, '' before the first save
    state    TEXT             NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
    progress DOUBLE PRECISION NOT NULL, -- 0 to 1
    doing    TEXT             NOT NULL,
    result   TEXT             NOT NULL, -- JSON, '' before there is one
    why      TEXT             NOT NULL, -- of a failure
    approval TEXT             NOT NULL, -- that it waits for
    origin   TEXT             NOT NULL, -- JSON: who asked for it
    tries    BIGINT           NOT NULL, -- starts since the last save
    created  BIGINT           NOT NULL,
    changed  BIGINT           NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX jobs_state ON jobs (user_id, state, id);
CREATE INDEX jobs_approval ON jobs (user_id, approval);

-- What the user was asked to agree to: a call, or the sending of messages.
CREATE TABLE approvals (
    user_id   BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id        TEXT   NOT NULL,
    tool      TEXT   NOT NULL, -- '' for messages
    class     TEXT   NOT NULL,
    arguments TEXT   NOT NULL, -- JSON
    provider  TEXT   NOT NULL, -- '' for a call
    model     TEXT   NOT NULL,
    purpose   TEXT   NOT NULL,
    messages  TEXT   NOT NULL, -- JSON
    digest    TEXT   NOT NULL,
    say       TEXT   NOT NULL,
    state     TEXT   NOT NULL CHECK (state IN ('open', 'granted', 'refused', 'spent')),
    asked     BIGINT NOT NULL,
    until     BIGINT NOT NULL, -- it holds before this time
    decided   BIGINT, -- time of the last change of state
    PRIMARY KEY (user_id, id)
);
CREATE INDEX approvals_state ON approvals (user_id, state, until);

-- Providers that may be asked without a question each time.
CREATE TABLE permissions (
    user_id  BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (user_id, provider)
);

-- All that left the machine by the user's word. Rows are only ever added.
CREATE TABLE ledger (
    user_id  BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id       BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    provider TEXT   NOT NULL, -- or the tool that sent it
    model    TEXT   NOT NULL,
    purpose  TEXT   NOT NULL,
    approval TEXT   NOT NULL, -- id, or 'standing'
    content  TEXT   NOT NULL, -- JSON: the messages, or the arguments of the call
    digest   TEXT   NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX ledger_at ON ledger (user_id, at);

-- +goose Down
DROP TABLE ledger;
DROP TABLE permissions;
DROP TABLE approvals;
DROP TABLE jobs;
DROP TABLE messages;
DROP TABLE sessions;
