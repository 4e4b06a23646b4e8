import type { CapturedCandidate, Loci, Memory, ScopeText } from "@loci/domain";

/** All that a tenant answers to every read, as far as an export is to keep it: see docs/guides/operate.md. */
export async function tenantAnswers(
  loci: Loci,
  scopes: readonly ScopeText[],
  owners: readonly ScopeText[],
): Promise<Record<string, unknown>> {
  const memories = await allMemories(loci, scopes);
  const evidence: Record<string, unknown> = {};
  for (const { id } of memories) evidence[id] = await loci.captures.evidence(id);
  const recalled: unknown[] = [];
  for (const query of ["what does the user like", "where does alice work", "deploy on friday"])
    for (const profile of [undefined, "assistant"] as const) {
      const { hits } = await loci.recall({
        query,
        scopes,
        profile,
        recordUsage: "none",
        evaluationTime: Date.UTC(2026, 5, 1),
      });
      recalled.push(hits.map(({ memory, score }) => [memory.id, score]));
    }
  const { reviews } = await loci.captures.reviews.list({ scopes });
  return {
    memories: memories.map(withoutVersion),
    counted: (await loci.memories.scopes({})).scopes,
    evidence,
    recalled,
    reviews: reviews.map(({ memory, ...review }) => ({ ...review, memory: memory.id })),
    schemas: await loci.blocks.schemas.list(),
    blocks: await Promise.all(owners.map((owner) => blocksOf(loci, owner))),
    sessions: await sessionsOf(loci, scopes),
    captures: await capturesOf(loci),
  };
}

async function allMemories(loci: Loci, scopes: readonly ScopeText[]): Promise<readonly Memory[]> {
  const { memories } = await loci.memories.list({ scopes, states: ["active", "quarantined"], pageSize: 1_000 });
  return memories;
}

/** Imported memories begin with a first version, and count their use anew. */
function withoutVersion({
  version: _version,
  etag: _etag,
  usage: _usage,
  recordedAt: _at,
  ...memory
}: Memory & {
  readonly usage?: unknown;
  readonly recordedAt?: unknown;
}): unknown {
  return memory;
}

async function blocksOf(loci: Loci, owner: ScopeText): Promise<unknown> {
  const blocks = [
    ...(await loci.blocks.list({ owner })),
    ...(await loci.blocks.list({ owner, schema: "memory_file" })),
  ];
  const found: unknown[] = [];
  for (const { label } of blocks) {
    const { versions } = await loci.blocks.history({ owner, label, pageSize: 1_000 });
    found.push(await loci.blocks.get({ owner, label }), versions);
    for (const { version } of versions) found.push(await removedOr(loci.blocks.get({ owner, label, version })));
  }
  const states = ["pending", "approved", "rejected", "superseded", "expired", "withdrawn"] as const;
  const { edits } = await loci.blocks.listEdits({ owner, states, pageSize: 1_000 });
  for (const { id, state } of edits) found.push(id, state === "pending" ? await loci.blocks.getEdit({ id }) : state);
  return { blocks: found, edits };
}

async function removedOr(block: Promise<unknown>): Promise<unknown> {
  return block.catch((error: unknown) => String(error));
}

async function sessionsOf(loci: Loci, scopes: readonly ScopeText[]): Promise<unknown> {
  const { sessions } = await loci.sessions.list({ scopes, pageSize: 1_000 });
  const found: unknown[] = [];
  for (const { etag: _etag, ...session } of sessions) {
    const key = { scope: session.scope, id: session.id };
    const { turns } = await loci.sessions.turns(key, { pageSize: 1_000 });
    const { etag, ...state } = await loci.sessions.turnState.load(key);
    found.push(session, turns, state, etag === undefined);
    const { captures } = await loci.captures.list({ session: key });
    found.push(captures.map(({ id }) => id));
  }
  for (const scope of scopes) found.push(await loci.sessions.dailyLog({ scope, date: "2026-01-01" }));
  return found;
}

async function capturesOf(loci: Loci): Promise<unknown> {
  const { captures } = await loci.captures.list({ scopes: "*", pageSize: 1_000 });
  const found: unknown[] = [];
  for (const { id } of captures) {
    const { etag: _etag, ...capture } = await loci.captures.get(id);
    const candidates = capture.outcome?.candidates.map(withoutWords);
    found.push({ ...capture, outcome: { ...capture.outcome, candidates } });
  }
  return found;
}

/** What became a memory is told in the words that it had first. Those of memories that were changed or forgotten stay behind. */
function withoutWords(candidate: CapturedCandidate): unknown {
  return candidate.memory === null ? candidate : { ...candidate, text: "", value: null };
}
