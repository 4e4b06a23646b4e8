/** Makes an index while others write, which is no part of a transaction. */
export interface IndexStep {
  readonly index: string;
  readonly on: string;
}

/**
 * The steps that make the schema. Step N takes a schema of version N − 1 to version N, in a transaction of its own. A step
 * that was released is never changed: a new one is added, and it leaves servers of the version before working, because
 * both run for a while. One beside which they must not write makes their statements fail, as a column without a default does:
 * what is refused in a newer schema is told as such, and they write nothing.
 *
 * Tenants, scopes and spaces stand in the rows by name: the policies then compare a column with a setting and need no
 * other table, and no transaction has to agree with another on a number.
 */
export const migrations: readonly (string | IndexStep)[] = [
  `
  CREATE TABLE tenants (
    tenant text COLLATE "C" PRIMARY KEY,
    head bigint NOT NULL DEFAULT 0,           -- sequence of the last change
    recorded_at bigint NOT NULL DEFAULT 0,    -- of the last change
    written_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 50);                   -- updated by every commit, in place while the page has room

  -- The log, and with it every version of every memory.
  CREATE TABLE changes (
    tenant text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    recorded_at bigint NOT NULL,
    type text NOT NULL,
    ref text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    space text COLLATE "C",                   -- of embeddingRecorded
    content_hash text COLLATE "C" NOT NULL,
    record text,                              -- the version as JSON; null for embeddingRecorded and what was purged
    PRIMARY KEY (tenant, sequence)
  );
  CREATE INDEX changes_by_ref ON changes (tenant, ref, sequence);

  -- Which version of a memory is current, and what lists find it by.
  CREATE TABLE memories (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    sequence bigint NOT NULL,                 -- of the change that made this version
    state text NOT NULL,
    scope_kind text COLLATE "C" NOT NULL,
    scope_id text COLLATE "C" NOT NULL,       -- empty for global
    category text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    source_id text COLLATE "C",
    position bigint,
    PRIMARY KEY (tenant, ref)
  );
  CREATE INDEX memories_newest_first ON memories (tenant, scope_kind, scope_id, created_at DESC, ref)
    WHERE state = 'active';
  CREATE INDEX memories_by_position ON memories (tenant, scope_kind, scope_id, source_id, position)
    WHERE source_id IS NOT NULL AND position IS NOT NULL;

  -- Of active memories only, in lower case.
  CREATE TABLE tags (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    tag text COLLATE "C" NOT NULL,
    scope_kind text COLLATE "C" NOT NULL,
    scope_id text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    sequence bigint NOT NULL,
    PRIMARY KEY (tenant, ref, tag)
  );
  CREATE INDEX tags_newest_first ON tags (tenant, scope_kind, scope_id, tag, created_at DESC, ref);
  CREATE INDEX tags_by_category ON tags (tenant, scope_kind, scope_id, category, tag);

  -- Which versions were active, and for which stretch of the log: what was known at a time is read from here.
  CREATE TABLE active_versions (
    tenant text COLLATE "C" NOT NULL,
    scope_kind text COLLATE "C" NOT NULL,
    scope_id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,                 -- of the change that made the version
    ended bigint,                             -- of the change that made the next one; null while it is current
    PRIMARY KEY (tenant, scope_kind, scope_id, sequence)
  );

  -- All that is left of memories that were erased.
  CREATE TABLE purged (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    purged_at bigint NOT NULL,
    PRIMARY KEY (tenant, ref)
  );

  CREATE TABLE usage (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    access_count bigint NOT NULL,
    last_accessed_at bigint NOT NULL,
    PRIMARY KEY (tenant, ref)
  );

  CREATE TABLE embeddings (
    tenant text COLLATE "C" NOT NULL,
    space text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    chunks integer NOT NULL,                  -- how many vectors of equal length there are
    vectors bytea NOT NULL,                   -- float32, little-endian
    PRIMARY KEY (tenant, space, content_hash)
  );
  -- No compression makes vectors smaller.
  ALTER TABLE embeddings ALTER COLUMN vectors SET STORAGE EXTERNAL;

  CREATE TABLE requests (
    tenant text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    body_hash text NOT NULL,
    sequence bigint NOT NULL,
    recorded_at bigint NOT NULL,
    written_at bigint NOT NULL,               -- by the clock, which may have been set back since recorded_at
    results text NOT NULL,
    PRIMARY KEY (tenant, subject, method, request_id)
  );
  CREATE INDEX requests_by_age ON requests (written_at);

  CREATE TABLE projections (
    tenant text COLLATE "C" NOT NULL,
    projection text COLLATE "C" NOT NULL,
    acknowledged bigint NOT NULL,
    holder text,                              -- null when nobody has the lease
    leased_at bigint NOT NULL,                -- when it was taken or last renewed, by the database's clock
    PRIMARY KEY (tenant, projection)
  ) WITH (fillfactor = 50);

  CREATE TABLE embedding_cache (
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    tenant text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (tenant, key)
  );
  ALTER TABLE embedding_cache ALTER COLUMN vector SET STORAGE EXTERNAL;

  -- What model calls used, added up.
  CREATE TABLE model_usage (
    tenant text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,        -- empty for the account of the tenant itself
    model text COLLATE "C" NOT NULL,
    calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    PRIMARY KEY (tenant, session, model)
  );

  -- What sessions were shown lately.
  CREATE TABLE recall_marks (
    tenant text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    shown_at bigint NOT NULL,
    kept_until bigint NOT NULL,               -- by the ledger's clock
    PRIMARY KEY (tenant, owner, ref, session)
  );
  CREATE INDEX recall_marks_by_end ON recall_marks (kept_until);

  CREATE TABLE settings (
    tenant text COLLATE "C" NOT NULL,         -- empty for the deployment
    name text COLLATE "C" NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (tenant, name)
  );

  -- A transaction sees the rows of the tenant it is set to. A setting that was made for an earlier transaction of the
  -- connection reads as empty, and an empty one is no tenant.
  DO $$
  DECLARE
    name text;
    own CONSTANT text := $policy$tenant = nullif(current_setting('loci.tenant', true), '')$policy$;
  BEGIN
    FOREACH name IN ARRAY ARRAY['tenants', 'changes', 'memories', 'tags', 'active_versions', 'purged', 'usage', 'embeddings',
      'requests', 'projections', 'embedding_cache', 'model_usage', 'recall_marks', 'settings']
    LOOP
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
      EXECUTE format('CREATE POLICY own_tenant ON %I USING (%s) WITH CHECK (%s)', name, own, own);
    END LOOP;
    -- Jobs that look after all tenants see where each stands and what has to be pruned, and nobody's words.
    FOREACH name IN ARRAY ARRAY['tenants', 'projections', 'requests', 'recall_marks', 'embedding_cache']
    LOOP
      EXECUTE format($policy$CREATE POLICY every_tenant ON %I FOR SELECT
        USING (current_setting('loci.every_tenant', true) = 'on')$policy$, name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['projections', 'requests', 'recall_marks', 'embedding_cache']
    LOOP
      EXECUTE format($policy$CREATE POLICY every_tenant_removal ON %I FOR DELETE
        USING (current_setting('loci.every_tenant', true) = 'on')$policy$, name);
    END LOOP;
  END $$;
  CREATE POLICY deployment ON settings
    USING (tenant = '' AND current_setting('loci.every_tenant', true) = 'on')
    WITH CHECK (tenant = '' AND current_setting('loci.every_tenant', true) = 'on');
  `,
  `
  -- How often a memory was given by a recall, used or not.
  CREATE TABLE shown (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (tenant, ref)
  );
  ALTER TABLE shown ENABLE ROW LEVEL SECURITY;
  ALTER TABLE shown FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON shown USING (tenant = nullif(current_setting('loci.tenant', true), ''))
    WITH CHECK (tenant = nullif(current_setting('loci.tenant', true), ''));
  `,
  `
  -- What the memory is the value of, and what its text is found by. Most texts are as they are compared.
  ALTER TABLE memories ADD COLUMN slot text COLLATE "C", ADD COLUMN text_key text COLLATE "C";
  -- The owner fills them for every tenant.
  ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE changes NO FORCE ROW LEVEL SECURITY;
  UPDATE memories AS m SET slot = c.record::json ->> 'slot', text_key = substr(c.content_hash, 1, 32)
    FROM changes AS c WHERE c.tenant = m.tenant AND c.sequence = m.sequence AND m.state = 'active';
  ALTER TABLE memories FORCE ROW LEVEL SECURITY;
  ALTER TABLE changes FORCE ROW LEVEL SECURITY;
  CREATE INDEX memories_by_slot ON memories (tenant, scope_kind, scope_id, slot, ref)
    WHERE state = 'active' AND slot IS NOT NULL;
  CREATE INDEX memories_by_text ON memories (tenant, scope_kind, scope_id, text_key, ref) WHERE state = 'active';
  `,
  `
  -- The weight of a memory that stands in every context of its scope; null for any other. Servers of the version before
  -- write none: what they write stands once it is written again.
  ALTER TABLE memories ADD COLUMN standing double precision;

  -- The policies hold for the owner, too: one tenant after the other.
  DO $$
  DECLARE
    one text;
  BEGIN
    PERFORM set_config('loci.every_tenant', 'on', true);
    FOR one IN SELECT tenant FROM tenants LOOP
      PERFORM set_config('loci.tenant', one, true);
      UPDATE memories AS m SET standing = (c.record::json ->> 'importance')::double precision
        FROM changes AS c
        WHERE m.tenant = one AND c.tenant = one AND c.sequence = m.sequence AND m.state = 'active'
          AND c.record IS NOT NULL AND (m.category = 'preference'
            OR (m.category IN ('fact', 'entity') AND (c.record::json ->> 'isStatic')::boolean));
    END LOOP;
  END $$;

  CREATE INDEX memories_standing ON memories (tenant, scope_kind, scope_id, standing DESC, ref)
    WHERE state = 'active' AND standing IS NOT NULL;
  `,
  `
  -- Whose entry it is, and who is behind it: subject of the credential, what of Loci has decided it, and why. Servers of the
  -- version before write memories, and no author.
  ALTER TABLE changes
    ADD COLUMN family text COLLATE "C" NOT NULL DEFAULT 'memories',
    ADD COLUMN subject text COLLATE "C",
    ADD COLUMN activity text COLLATE "C",
    ADD COLUMN reason text COLLATE "C";
  `,
  // Readers of one family read nothing of the others.
  { index: "changes_by_family", on: "changes (tenant, family, sequence)" },
  `
  -- What was decided about memories, of each by every activity the latest. They were settings before; what servers of the
  -- version before still decide stays there, and is decided anew.
  CREATE TABLE decisions (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    activity text COLLATE "C" NOT NULL,       -- what of Loci has decided, such as expire
    sequence bigint NOT NULL,                 -- of the last entry committed with it; 0 when that is not known
    reason text NOT NULL,
    details text NOT NULL,                    -- JSON
    PRIMARY KEY (tenant, ref, activity)
  );
  ALTER TABLE decisions ENABLE ROW LEVEL SECURITY;
  ALTER TABLE decisions FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON decisions USING (tenant = nullif(current_setting('loci.tenant', true), ''))
    WITH CHECK (tenant = nullif(current_setting('loci.tenant', true), ''));

  -- The policies hold for the owner, too: one tenant after the other.
  DO $$
  DECLARE
    one text;
  BEGIN
    PERFORM set_config('loci.every_tenant', 'on', true);
    FOR one IN SELECT tenant FROM tenants LOOP
      PERFORM set_config('loci.tenant', one, true);
      INSERT INTO decisions (tenant, ref, activity, sequence, reason, details)
        SELECT one, m.ref, split_part(s.name, ':', 2), 0, coalesce(s.value::json ->> 'reason', ''),
            coalesce(s.value::json ->> 'details', '{}')
          FROM settings AS s
          JOIN memories AS m ON m.tenant = one
            AND m.ref = substr(s.name, length('decision:' || split_part(s.name, ':', 2) || ':') + 1)
          WHERE s.tenant = one AND starts_with(s.name, 'decision:');
      DELETE FROM settings WHERE tenant = one AND starts_with(name, 'decision:');
    END LOOP;
  END $$;
  `,
  `
  -- Resources of families that have no tables of their own, as they are now. What happened to them stands in the log.
  CREATE TABLE resources (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    family text COLLATE "C" NOT NULL,
    scope_kind text COLLATE "C" NOT NULL,
    scope_id text COLLATE "C" NOT NULL,       -- empty for global
    belongs_to text COLLATE "C" NOT NULL,     -- empty: to nothing
    version integer NOT NULL,
    sequence bigint NOT NULL,                 -- of the entry that made this version
    recorded_at bigint NOT NULL,
    state text,                               -- JSON; null for a tombstone
    PRIMARY KEY (tenant, ref)
  );
  CREATE INDEX resources_by_scope ON resources (tenant, scope_kind, scope_id, family, ref);
  CREATE INDEX resources_by_group ON resources (tenant, family, belongs_to, ref) WHERE belongs_to <> '';
  ALTER TABLE resources ENABLE ROW LEVEL SECURITY;
  ALTER TABLE resources FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON resources USING (tenant = nullif(current_setting('loci.tenant', true), ''))
    WITH CHECK (tenant = nullif(current_setting('loci.tenant', true), ''));
  `,
  // What happened to one resource. Of memories the log is found by ref.
  { index: "changes_of_resource", on: "changes (tenant, ref, version) WHERE family <> 'memories'" },
  `
  -- Durable work, outside the log. Rows that have ended go after a time.
  CREATE TABLE jobs (
    tenant text COLLATE "C" NOT NULL,         -- empty for the deployment
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    state text NOT NULL,
    request text NOT NULL,
    attempts integer NOT NULL,
    created_at bigint NOT NULL,
    available_at bigint,                      -- when it may be claimed: it is due, or its lease runs out; null after its end
    worker text,                              -- who has the lease; null when nobody has
    cancel_requested boolean NOT NULL,
    keep_for bigint NOT NULL,                 -- milliseconds after its end
    ended_at bigint,
    kept_until bigint,
    progress text,
    result text,
    error text,
    PRIMARY KEY (tenant, id)
  ) WITH (fillfactor = 50);                   -- updated by every renewal
  CREATE INDEX jobs_available ON jobs (kind, available_at) WHERE available_at IS NOT NULL;
  CREATE INDEX jobs_newest_first ON jobs (tenant, kind, created_at DESC, id DESC);
  CREATE INDEX jobs_by_end ON jobs (kept_until) WHERE kept_until IS NOT NULL;
  ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
  ALTER TABLE jobs FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON jobs USING (tenant = nullif(current_setting('loci.tenant', true), ''))
    WITH CHECK (tenant = nullif(current_setting('loci.tenant', true), ''));
  -- Whoever looks for work sees where there is some, and changes it as its tenant only.
  CREATE POLICY every_tenant ON jobs FOR SELECT USING (current_setting('loci.every_tenant', true) = 'on');
  CREATE POLICY every_tenant_removal ON jobs FOR DELETE USING (current_setting('loci.every_tenant', true) = 'on');
  CREATE POLICY deployment ON jobs
    USING (tenant = '' AND current_setting('loci.every_tenant', true) = 'on')
    WITH CHECK (tenant = '' AND current_setting('loci.every_tenant', true) = 'on');
  `,
  `
  -- What was read of long resources, outside the log. Rows are added, and go with their resource.
  CREATE TABLE checkpoints (
    tenant text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    reading text COLLATE "C" NOT NULL,        -- what decides what reading comes to
    through bigint NOT NULL,
    outline text NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (tenant, ref, reading, through)
  );
  ALTER TABLE checkpoints ENABLE ROW LEVEL SECURITY;
  ALTER TABLE checkpoints FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON checkpoints USING (tenant = nullif(current_setting('loci.tenant', true), ''))
    WITH CHECK (tenant = nullif(current_setting('loci.tenant', true), ''));
  `,
  // What waits for approval and what was forgotten, in the order in which it is listed.
  {
    index: "memories_inactive",
    on: "memories (tenant, scope_kind, scope_id, created_at DESC, ref) WHERE state <> 'active'",
  },
  `
  -- What an application calls the memory. Servers of the version before leave it as it is, also where they forget one.
  ALTER TABLE memories ADD COLUMN key text COLLATE "C";
  `,
  {
    index: "memories_by_key",
    on: "memories (tenant, scope_kind, scope_id, key, ref) WHERE key IS NOT NULL AND state <> 'deleted'",
  },
  `
  -- What contexts were made of lately, outside the log, without a word of what memories say.
  CREATE TABLE receipts (
    tenant text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,             -- by time
    kept_until bigint NOT NULL,
    summary text NOT NULL,
    names text NOT NULL,                      -- JSON: refs, and scopes in their text form
    body bytea NOT NULL,
    PRIMARY KEY (tenant, id)
  );
  CREATE INDEX receipts_by_end ON receipts (kept_until);
  ALTER TABLE receipts ENABLE ROW LEVEL SECURITY;
  ALTER TABLE receipts FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_tenant ON receipts USING (tenant = nullif(current_setting('loci.tenant', true), ''))
    WITH CHECK (tenant = nullif(current_setting('loci.tenant', true), ''));
  CREATE POLICY every_tenant ON receipts FOR SELECT USING (current_setting('loci.every_tenant', true) = 'on');
  CREATE POLICY every_tenant_removal ON receipts FOR DELETE USING (current_setting('loci.every_tenant', true) = 'on');
  `,
  `
  -- From here on what rows say may be encrypted, under keys that settings named encryption:key:ID note. Each tenant is written
  -- under one key, whatever server writes: its looked-up words have to be the same in all rows. A server of the version before
  -- knows no key: what it would write to an encrypted tenant is refused, as it leaves sealed_through behind.
  ALTER TABLE tenants
    ADD COLUMN columns_key text COLLATE "C",  -- id of the key; null while the tenant is not encrypted
    ADD COLUMN sealed_through bigint,         -- the head, as those leave it who know of keys
    ADD CONSTRAINT written_with_keys CHECK (columns_key IS NULL OR sealed_through IS NOT DISTINCT FROM head);
  -- Who writes for a tenant has to know the current key. The notes hold no key.
  CREATE POLICY encryption ON settings FOR SELECT USING (tenant = '' AND starts_with(name, 'encryption:'));
  `,
];
