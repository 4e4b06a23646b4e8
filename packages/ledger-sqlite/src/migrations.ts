import type { DatabaseSync } from "node:sqlite";
import { LociError } from "@loci/domain";

/** Marks the file as Loci's own in its header: "Loci" as four ASCII bytes. */
export const applicationId = 0x4c_6f_63_69;

/**
 * The steps that make the schema. Step N takes a file of version N − 1 to version N; the version of a file stands in
 * `PRAGMA user_version`. A step that was released is never changed: a new one is added.
 */
export const migrations: readonly string[] = [
  `
  -- Names are interned, so that keys and indexes hold a small number instead of up to 200 bytes.
  CREATE TABLE tenants (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    head INTEGER NOT NULL DEFAULT 0,        -- sequence of the last change
    recorded_at INTEGER NOT NULL DEFAULT 0  -- of the last change
  ) STRICT;

  CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,                     -- empty for global
    UNIQUE (tenant, kind, name)
  ) STRICT;

  CREATE TABLE spaces (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;

  -- The log, and with it every version of every memory.
  CREATE TABLE changes (
    tenant INTEGER NOT NULL REFERENCES tenants,
    sequence INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    type TEXT NOT NULL,
    ref TEXT NOT NULL,
    version INTEGER NOT NULL,
    previous INTEGER,                       -- sequence of the version before; null for the first, and for no version
    space INTEGER REFERENCES spaces,        -- of embeddingRecorded
    content_hash TEXT NOT NULL,
    record TEXT,                            -- the version as JSON; null for embeddingRecorded
    PRIMARY KEY (tenant, sequence)
  ) STRICT, WITHOUT ROWID;

  -- Which version of a memory is current, and what lists find it by.
  CREATE TABLE memories (
    tenant INTEGER NOT NULL,
    ref TEXT NOT NULL,
    version INTEGER NOT NULL,
    sequence INTEGER NOT NULL,              -- of the change that made this version
    scope INTEGER NOT NULL REFERENCES scopes,
    active INTEGER NOT NULL,
    category TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    source_id TEXT,
    position INTEGER,
    PRIMARY KEY (tenant, ref),
    FOREIGN KEY (tenant, sequence) REFERENCES changes
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX memories_newest_first ON memories (scope, created_at DESC, ref, category, expires_at, sequence)
    WHERE active = 1;
  CREATE INDEX memories_by_position ON memories (scope, source_id, position)
    WHERE source_id IS NOT NULL AND position IS NOT NULL;

  -- Of active memories only, in lower case.
  CREATE TABLE tags (
    scope INTEGER NOT NULL REFERENCES scopes,
    tag TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ref TEXT NOT NULL,
    PRIMARY KEY (scope, tag, created_at DESC, ref)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE usage (
    tenant INTEGER NOT NULL,
    ref TEXT NOT NULL,
    access_count INTEGER NOT NULL,
    last_accessed_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, ref),
    FOREIGN KEY (tenant, ref) REFERENCES memories
  ) STRICT, WITHOUT ROWID;

  -- Small rows, because they are written in the random order of the hashes.
  CREATE TABLE embeddings (
    tenant INTEGER NOT NULL REFERENCES tenants,
    space INTEGER NOT NULL REFERENCES spaces,
    content_hash TEXT NOT NULL,
    chunks INTEGER NOT NULL,                -- how many vectors of equal length the pieces hold together
    first_piece INTEGER NOT NULL,
    last_piece INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, content_hash)
  ) STRICT, WITHOUT ROWID;

  -- The vectors themselves: float32, little-endian, appended in pieces of which a page holds five.
  CREATE TABLE vector_pieces (
    id INTEGER PRIMARY KEY,
    bytes BLOB NOT NULL
  ) STRICT;

  -- With a rowid: the oldest are found at its low end.
  CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants,
    subject TEXT NOT NULL,
    method TEXT NOT NULL,
    request_id TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    written_at INTEGER NOT NULL,            -- by the clock, which may have been set back since recorded_at
    results TEXT NOT NULL,
    UNIQUE (tenant, subject, method, request_id)
  ) STRICT;

  CREATE TABLE projections (
    tenant INTEGER NOT NULL REFERENCES tenants,
    projection TEXT NOT NULL,
    acknowledged INTEGER NOT NULL,
    holder TEXT,                            -- null when nobody has the lease
    leased_at INTEGER NOT NULL,             -- when it was taken or last renewed
    PRIMARY KEY (tenant, projection)
  ) STRICT, WITHOUT ROWID;

  -- With a rowid: the oldest are found at its low end.
  CREATE TABLE embedding_cache (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants,
    key TEXT NOT NULL,
    vector BLOB NOT NULL,                   -- float32, little-endian
    UNIQUE (tenant, key)
  ) STRICT;
  `,
  `
  -- What model calls used, added up.
  CREATE TABLE model_usage (
    tenant INTEGER NOT NULL REFERENCES tenants,
    session TEXT NOT NULL,                  -- empty for the account of the tenant itself
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, model)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Which versions were active, and for which stretch of the log: what was known at a time is read from here.
  CREATE TABLE active_versions (
    scope INTEGER NOT NULL REFERENCES scopes,
    sequence INTEGER NOT NULL,              -- of the change that made the version
    ended INTEGER,                          -- of the change that made the next one; null while it is current
    PRIMARY KEY (scope, sequence)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO active_versions (scope, sequence, ended)
    SELECT s.id, v.sequence, v.ended
      FROM (SELECT tenant, sequence, lead(sequence) OVER (PARTITION BY tenant, ref ORDER BY sequence) AS ended
              FROM changes WHERE record IS NOT NULL) AS v
      CROSS JOIN changes AS c ON c.tenant = v.tenant AND c.sequence = v.sequence
      CROSS JOIN scopes AS s ON s.tenant = c.tenant AND s.kind = c.record ->> '$.scope.kind'
        AND s.name = coalesce(c.record ->> '$.scope.id', '')
      WHERE c.record ->> '$.state' = 'active';

  ALTER TABLE tags ADD COLUMN category TEXT NOT NULL DEFAULT '';

  UPDATE tags SET category = (
    SELECT m.category FROM scopes AS s CROSS JOIN memories AS m ON m.tenant = s.tenant AND m.ref = tags.ref
      WHERE s.id = tags.scope);

  CREATE INDEX tags_by_category ON tags (scope, category, tag);

  -- What sessions were shown lately.
  CREATE TABLE recall_marks (
    tenant INTEGER NOT NULL REFERENCES tenants,
    owner TEXT NOT NULL,
    ref TEXT NOT NULL,
    session TEXT NOT NULL,
    shown_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL,            -- by the ledger's clock
    PRIMARY KEY (tenant, owner, ref, session)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX recall_marks_by_end ON recall_marks (kept_until);
  `,
  `
  -- All that is left of memories that were erased.
  CREATE TABLE purged (
    tenant INTEGER NOT NULL REFERENCES tenants,
    ref TEXT NOT NULL,
    purged_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, ref)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE settings (
    tenant TEXT NOT NULL,                   -- empty for the deployment
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tenant, name)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- How often a memory was given by a recall, used or not.
  CREATE TABLE shown (
    tenant INTEGER NOT NULL REFERENCES tenants,
    ref TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (tenant, ref)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What the memory is the value of, and what its text is found by. Most texts are as they are compared.
  ALTER TABLE memories ADD COLUMN slot TEXT;
  ALTER TABLE memories ADD COLUMN text_key TEXT;

  UPDATE memories SET (slot, text_key) = (
    SELECT c.record ->> '$.slot', substr(c.content_hash, 1, 32) FROM changes AS c
      WHERE c.tenant = memories.tenant AND c.sequence = memories.sequence)
    WHERE active = 1;

  CREATE INDEX memories_by_slot ON memories (scope, slot, ref) WHERE active = 1 AND slot IS NOT NULL;
  CREATE INDEX memories_by_text ON memories (scope, text_key, ref) WHERE active = 1;
  `,
  `
  -- The weight of a memory that stands in every context of its scope; null for any other.
  ALTER TABLE memories ADD COLUMN standing REAL;

  UPDATE memories SET standing = (
    SELECT CASE WHEN m.category = 'preference'
        OR (m.category IN ('fact', 'entity') AND c.record ->> '$.isStatic') THEN c.record ->> '$.importance' END
      FROM memories AS m CROSS JOIN changes AS c ON c.tenant = m.tenant AND c.sequence = m.sequence
      WHERE m.tenant = memories.tenant AND m.ref = memories.ref)
    WHERE active = 1 AND category IN ('preference', 'fact', 'entity');

  CREATE INDEX memories_standing ON memories (scope, standing DESC, ref, expires_at, sequence)
    WHERE standing IS NOT NULL;
  `,
  `
  -- Whose entry it is, and who is behind it: subject of the credential, what of Loci has decided it, and why.
  ALTER TABLE changes ADD COLUMN family TEXT NOT NULL DEFAULT 'memories';
  ALTER TABLE changes ADD COLUMN subject TEXT;
  ALTER TABLE changes ADD COLUMN activity TEXT;
  ALTER TABLE changes ADD COLUMN reason TEXT;

  -- Readers of one family read nothing of the others.
  CREATE INDEX changes_by_family ON changes (tenant, family, sequence);
  `,
  `
  -- What was decided about memories, of each by every activity the latest. They were settings before.
  CREATE TABLE decisions (
    tenant INTEGER NOT NULL REFERENCES tenants,
    ref TEXT NOT NULL,
    activity TEXT NOT NULL,                 -- what of Loci has decided, such as expire
    sequence INTEGER NOT NULL,              -- of the last entry committed with it; 0 when that is not known
    reason TEXT NOT NULL,
    details TEXT NOT NULL,                  -- JSON
    PRIMARY KEY (tenant, ref, activity)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO decisions (tenant, ref, activity, sequence, reason, details)
    SELECT m.tenant, m.ref, substr(d.rest, 1, instr(d.rest, ':') - 1), 0, d.value ->> '$.reason',
        coalesce(d.value -> '$.details', '{}')
      FROM (SELECT tenant, substr(name, 10) AS rest, value FROM settings WHERE name GLOB 'decision:*:*') AS d
      CROSS JOIN tenants AS t ON t.name = d.tenant
      CROSS JOIN memories AS m ON m.tenant = t.id AND m.ref = substr(d.rest, instr(d.rest, ':') + 1);

  DELETE FROM settings WHERE name GLOB 'decision:*:*' AND tenant <> '';
  `,
  `
  -- Resources of families that have no tables of their own, as they are now. What happened to them stands in the log.
  CREATE TABLE resources (
    tenant INTEGER NOT NULL REFERENCES tenants,
    ref TEXT NOT NULL,
    family TEXT NOT NULL,
    scope INTEGER NOT NULL REFERENCES scopes,
    belongs_to TEXT NOT NULL,               -- empty: to nothing
    version INTEGER NOT NULL,
    sequence INTEGER NOT NULL,              -- of the entry that made this version
    recorded_at INTEGER NOT NULL,
    state TEXT,                             -- JSON; null for a tombstone
    PRIMARY KEY (tenant, ref)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX resources_by_scope ON resources (scope, family, ref);
  CREATE INDEX resources_by_group ON resources (tenant, family, belongs_to, ref) WHERE belongs_to <> '';

  -- What happened to one resource. Of memories the versions lead to each other.
  CREATE INDEX changes_of_resource ON changes (tenant, ref, version) WHERE family <> 'memories';
  `,
  `
  -- Durable work, outside the log. Rows that have ended go after a time.
  CREATE TABLE jobs (
    tenant INTEGER NOT NULL,                -- 0 for the deployment
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    request TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    available_at INTEGER,                   -- when it may be claimed: it is due, or its lease runs out; null after its end
    worker TEXT,                            -- who has the lease; null when nobody has
    cancel_requested INTEGER NOT NULL,
    keep_for INTEGER NOT NULL,              -- milliseconds after its end
    ended_at INTEGER,
    kept_until INTEGER,
    progress TEXT,
    result TEXT,
    error TEXT,
    PRIMARY KEY (tenant, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_available ON jobs (kind, available_at) WHERE available_at IS NOT NULL;
  CREATE INDEX jobs_unfinished ON jobs (tenant, kind) WHERE available_at IS NOT NULL;
  CREATE INDEX jobs_newest_first ON jobs (tenant, kind, created_at DESC, id DESC);
  CREATE INDEX jobs_ended ON jobs (tenant, kind, ended_at DESC) WHERE ended_at IS NOT NULL;
  CREATE INDEX jobs_by_end ON jobs (kept_until) WHERE kept_until IS NOT NULL;
  `,
  `
  -- What was read of long resources, outside the log. Rows are added, and go with their resource.
  CREATE TABLE checkpoints (
    tenant INTEGER NOT NULL REFERENCES tenants,
    ref TEXT NOT NULL,
    reading TEXT NOT NULL,                  -- what decides what reading comes to
    through INTEGER NOT NULL,
    outline TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (tenant, ref, reading, through)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Ascending, and read backwards: new memories come at the end of a scope, where pages are filled instead of halved.
  DROP INDEX memories_newest_first;
  CREATE INDEX memories_newest_first ON memories (scope, created_at, ref DESC, category, expires_at, sequence)
    WHERE active = 1;
  `,
  `
  -- What waits for approval and what was forgotten, in the order in which it is listed.
  CREATE INDEX memories_inactive ON memories (scope, created_at, ref DESC) WHERE active = 0;
  `,
  `
  -- What an application calls the memory; null once it was forgotten.
  ALTER TABLE memories ADD COLUMN key TEXT;
  CREATE INDEX memories_by_key ON memories (scope, key) WHERE key IS NOT NULL;
  `,
  `
  -- What contexts were made of lately, outside the log, without a word of what memories say. With a number for each row, so that
  -- what is listed and counted is read without the bodies.
  CREATE TABLE receipts (
    tenant INTEGER NOT NULL REFERENCES tenants,
    id TEXT NOT NULL,                       -- by time
    kept_until INTEGER NOT NULL,
    summary TEXT NOT NULL,
    names TEXT NOT NULL,                    -- JSON: refs, and scopes in their text form
    body BLOB NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE INDEX receipts_by_end ON receipts (kept_until);
  `,
  `
  -- From here on what rows say may be encrypted, which settings named encryption:key:ID say. A version that does not know that must
  -- not open the file: it would take what is sealed for the words themselves.
  SELECT 1;
  `,
];

/**
 * Brings an open file to the newest schema. A step is done whole or not at all.
 *
 * @throws LociError `DATA_DIRECTORY_TOO_NEW`, `DATA_DIRECTORY_CORRUPT` when the file belongs to another program
 */
export function migrate(database: DatabaseSync, path: string): void {
  const found = versionOf(database, path);
  for (const [index, step] of migrations.entries()) {
    if (index < found) continue;
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(step);
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${index + 1}; COMMIT`);
    } catch (error) {
      // On a full disk SQLite has rolled back by itself, and what matters is that it was full.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }
}

/**
 * The version in the file's header. Touches the root of every table, so that a cut-off file is noticed at once.
 *
 * @throws LociError `DATA_DIRECTORY_TOO_NEW`, `DATA_DIRECTORY_CORRUPT` when the file belongs to another program
 */
export function versionOf(database: DatabaseSync, path: string): number {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const application = database.prepare("PRAGMA application_id").get()?.["application_id"];
  if (tables.length > 0 && application !== applicationId)
    throw new LociError("DATA_DIRECTORY_CORRUPT", {
      message: `${path} is a SQLite file, but not a ledger of Loci.`,
      resource: path,
      advice: "Choose another data directory, or move the file away.",
    });
  for (const { name } of tables) database.prepare(`SELECT 1 FROM "${String(name)}" LIMIT 1`).get();
  const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (found <= migrations.length) return found;
  throw new LociError("DATA_DIRECTORY_TOO_NEW", {
    message: `${path} has schema version ${found}, but this version of Loci knows only up to ${migrations.length}.`,
    resource: path,
    advice: "Open it with the Loci version that wrote it, or a newer one.",
  });
}
