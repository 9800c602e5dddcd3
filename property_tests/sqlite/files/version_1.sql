-- A file of schema version 1, as the order lab of that time left it, with a claim beside its receipts.
-- *Never changed:* files of every version must go on to open.
PRAGMA application_id = 1128681289;
PRAGMA user_version = 1;
CREATE TABLE orders (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, key TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL, UNIQUE (tenant, key)) STRICT;
INSERT INTO "orders" VALUES(1,'acme','key-1','pen',2);
INSERT INTO "orders" VALUES(2,'zeta','key-1','pen',2);
INSERT INTO "orders" VALUES(3,'acme','key-2','pen',2);
INSERT INTO "orders" VALUES(4,'acme','key-3','pen',2);
CREATE TABLE receipts (
    key             TEXT    NOT NULL,
    tenant          TEXT    NOT NULL,
    operation       TEXT    NOT NULL,
    scheme          TEXT    NOT NULL,
    digest          BLOB    NOT NULL CHECK (length(digest) = 32),
    fence           INTEGER NOT NULL,
    attempt         INTEGER NOT NULL,
    created_at_us   INTEGER NOT NULL,
    state           TEXT    NOT NULL
                    CHECK (state IN ('in_progress', 'completed', 'unknown', 'tombstone')),
    lease_end_us    INTEGER,  -- in_progress
    since_us        INTEGER,  -- unknown, tombstone
    unknown_cause   TEXT,     -- unknown
    completed_at_us INTEGER,  -- completed, tombstone
    replay_until_us INTEGER,  -- completed
    forget_at_us    INTEGER,  -- completed, tombstone
    status          INTEGER,  -- completed, tombstone
    reference       TEXT,     -- completed, tombstone
    checkpoint_name TEXT,     -- in_progress, unknown
    hold_since_us   INTEGER,
    hold_by         TEXT,
    hold_reason     TEXT,
    body_omitted    TEXT,     -- completed
    fields          TEXT,     -- completed; a line `name:value` each
    checkpoint_note TEXT,     -- in_progress, unknown
    field_digests   TEXT,
    body            BLOB,     -- completed
    due_at_us       INTEGER GENERATED ALWAYS AS (
        CASE state
            WHEN 'in_progress' THEN lease_end_us
            WHEN 'completed' THEN iif(hold_since_us IS NULL, replay_until_us, NULL)
            WHEN 'tombstone' THEN iif(hold_since_us IS NULL, forget_at_us, NULL)
        END) VIRTUAL,
    UNIQUE (key, tenant, operation)
) STRICT;
INSERT INTO "receipts" VALUES('key-1','acme','create_order','exact-json',X'2584BDE257DDF67850A1B034D65852CC5DCF0EDC2A862FA9C45C54A9B830480B',1796126111222668,1,1796126111222668,'completed',NULL,NULL,NULL,1796126111222726,1796212511222726,1798718111222726,201,NULL,NULL,NULL,NULL,NULL,NULL,'Content-Type:application/json
',NULL,NULL,X'7B226F726465725F6964223A317D');
INSERT INTO "receipts" VALUES('key-1','zeta','create_order','exact-json',X'2584BDE257DDF67850A1B034D65852CC5DCF0EDC2A862FA9C45C54A9B830480B',1796126111224023,1,1796126111224023,'completed',NULL,NULL,NULL,1796126111224029,1796212511224029,1798718111224029,201,NULL,NULL,NULL,NULL,NULL,NULL,'Content-Type:application/json
',NULL,NULL,X'7B226F726465725F6964223A327D');
INSERT INTO "receipts" VALUES('key-2','acme','create_order','exact-json',X'2584BDE257DDF67850A1B034D65852CC5DCF0EDC2A862FA9C45C54A9B830480B',1796126111225155,1,1796126111225155,'completed',NULL,NULL,NULL,1796126111225168,1796212511225168,1798718111225168,201,NULL,NULL,NULL,NULL,NULL,NULL,'Content-Type:application/json
',NULL,NULL,X'7B226F726465725F6964223A337D');
INSERT INTO "receipts" VALUES('key-3','acme','create_order','exact-json',X'2584BDE257DDF67850A1B034D65852CC5DCF0EDC2A862FA9C45C54A9B830480B',1796126111227737,1,1796126111227737,'completed',NULL,NULL,NULL,1796126111227765,1796212511227765,1798718111227765,201,NULL,NULL,NULL,NULL,NULL,NULL,'Content-Type:application/json
',NULL,NULL,X'7B226F726465725F6964223A347D');
CREATE INDEX receipts_due ON receipts (due_at_us);
CREATE INDEX receipts_open ON receipts (state, lease_end_us) WHERE completed_at_us IS NULL;
INSERT INTO "receipts" VALUES('key-9','acme','charge','exact-json',X'2584BDE257DDF67850A1B034D65852CC5DCF0EDC2A862FA9C45C54A9B830480B',1796126111222668,2,1796126111222668,'in_progress',1796126141222668,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'called',NULL,NULL,NULL,NULL,NULL,'{"try":2}',NULL,NULL);
