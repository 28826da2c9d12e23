-- The rows of the first spoken turn. One dialect for SQLite and PostgreSQL: times are milliseconds since 1970 (UTC),
-- lengths of time microseconds, and identities come from users.last_id, so that none is ever used twice.

-- +goose Up
CREATE TABLE users (
    id      BIGINT NOT NULL PRIMARY KEY,
    name    TEXT   NOT NULL UNIQUE,
    last_id BIGINT NOT NULL DEFAULT 0,
    created BIGINT NOT NULL
);

CREATE TABLE preferences (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key     TEXT   NOT NULL,
    value   TEXT   NOT NULL,
    source  TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (user_id, key)
);

CREATE TABLE facts (
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT NOT NULL,
    text    TEXT   NOT NULL,
    source  TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);

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

-- Timers and alarms: both ring.
CREATE TABLE timers (
    user_id   BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id        BIGINT  NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('timer', 'alarm')),
    text      TEXT    NOT NULL,
    at        BIGINT  NOT NULL, -- next time
    length_us BIGINT  NOT NULL,
    every     TEXT    NOT NULL, -- RRULE or ''
    zone      TEXT    NOT NULL, -- IANA
    first_at  BIGINT,           -- DTSTART of every
    state     TEXT    NOT NULL CHECK (state IN ('waiting', 'ringing', 'done', 'cancelled')),
    missed    BOOLEAN NOT NULL,
    created   BIGINT  NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX timers_next ON timers (user_id, state, at);

CREATE TABLE reminders (
    user_id  BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id       BIGINT  NOT NULL,
    text     TEXT    NOT NULL,
    at       BIGINT  NOT NULL, -- next time
    every    TEXT    NOT NULL, -- RRULE or ''
    zone     TEXT    NOT NULL, -- IANA
    first_at BIGINT,           -- DTSTART of every
    state    TEXT    NOT NULL CHECK (state IN ('waiting', 'ringing', 'done', 'cancelled')),
    missed   BOOLEAN NOT NULL,
    created  BIGINT  NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX reminders_next ON reminders (user_id, state, at);

-- History. Spoken is what was really said aloud of the reply.
CREATE TABLE turns (
    user_id        BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id             BIGINT NOT NULL,
    at             BIGINT NOT NULL,
    heard          TEXT   NOT NULL,
    reply          TEXT   NOT NULL,
    spoken         TEXT   NOT NULL,
    outcome        TEXT   NOT NULL,
    endpoint_us    BIGINT NOT NULL,
    stt_us         BIGINT NOT NULL,
    think_us       BIGINT NOT NULL,
    first_audio_us BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX turns_at ON turns (user_id, at);

-- +goose Down
DROP TABLE turns;
DROP TABLE reminders;
DROP TABLE timers;
DROP TABLE tasks;
DROP TABLE facts;
DROP TABLE preferences;
DROP TABLE users;
