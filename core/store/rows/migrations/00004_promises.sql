-- Promises that are carried out rather than rung, and the receipts of every delivery.

-- +goose Up
CREATE TABLE plans (
    user_id  BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id       BIGINT  NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('briefing', 'routine')),
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
CREATE INDEX plans_next ON plans (user_id, state, at);

-- What was done about a promise at one of its times. Rows are only ever added; the last steps decide whether it is told
-- again after a crash.
CREATE TABLE receipts (
    user_id BIGINT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id      BIGINT  NOT NULL,
    kind    TEXT    NOT NULL,
    promise BIGINT  NOT NULL, -- id of the timer, reminder or plan
    at      BIGINT  NOT NULL, -- the time that was promised
    step    TEXT    NOT NULL,
    channel TEXT    NOT NULL,
    made    BIGINT  NOT NULL,
    late_ms BIGINT  NOT NULL,
    again   BOOLEAN NOT NULL,
    note    TEXT    NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX receipts_promise ON receipts (user_id, promise, at);

-- +goose Down
DROP TABLE receipts;
DROP TABLE plans;
