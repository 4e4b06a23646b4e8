import { type Loci, type OpenedEngine, openEngine, roles, tenantId } from "@loci/loci";

// What every release is asked to keep: a directory with something of every family, and what can be read of it. The directory of
// a release is in fixtures, beside the answers it gave: `node … packages/loci/test/write-release-directory.ts 0.1`.

/** When everything was written. */
const beginning = Date.parse("2026-11-20T08:00:00Z");
const scope = "user:alice";
const key = { scope, id: "trip" } as const;
const tenants = ["acme", "globex"];

/** Opens the directory as programs do that say nothing else. Its clock goes on a second with each look. */
export async function openReleaseDirectory(
  dataDirectory: string,
  start: number = beginning,
  reportProblem?: (error: unknown) => void,
): Promise<OpenedEngine> {
  let now = start;
  const options = reportProblem === undefined ? {} : { reportProblem };
  return openEngine({ dataDirectory, clock: () => (now += 1_000), ...options });
}

function lociOf(engine: OpenedEngine, tenant: string): Loci {
  return engine.for({ tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] });
}

/** Writes something of everything there is. */
export async function writeReleaseDirectory(dataDirectory: string): Promise<void> {
  await using engine = await openReleaseDirectory(dataDirectory);
  for (const tenant of tenants) {
    const { memories, blocks, sessions, budget, captures, ...loci } = lociOf(engine, tenant);
    const [code, tea, old] = await memories.rememberMany(
      [
        { text: `The code of ${tenant} is 4711.`, scope, tags: ["door"], slot: "door code" },
        { text: "Alice drinks green tea in the morning.", scope, category: "preference" },
        { text: "Alice was born in Łódź; her cat is called 😺.", scope },
      ],
      { requestId: "first" },
    );
    await memories.remember({ text: "Deployments happen on Thursday.", scope: "project:apollo", isPinned: true });
    if (code === undefined || tea === undefined || old === undefined) throw new Error("nothing was remembered");
    const edited = await memories.update(
      tea.id,
      { text: "Alice drinks black tea in the morning." },
      { etag: tea.etag },
    );
    await memories.forget(old.id, { etag: old.etag });
    await memories.markUsed([edited.id]);
    await blocks.create({
      owner: scope,
      label: "core_memory",
      values: { text: "<!-- BUDGET: 40 lines, 800 tokens -->\n## Rules\n- Never call before nine.\n" },
    });
    const { etag } = await blocks.get({ owner: scope, label: "core_memory" });
    const text = "<!-- BUDGET: 40 lines, 800 tokens -->\n## Rules\n- Never call before ten.\n";
    await blocks.update({ owner: scope, label: "core_memory" }, { values: { text } }, { etag });
    await sessions.create({ ...key, title: "Travels", rememberTurns: true });
    await sessions.append(key, {
      expectedLast: 0,
      turns: [
        { role: "user", content: "I prefer trains to planes. Book the night train to Vienna." },
        { role: "assistant", content: "I booked it for Friday." },
      ],
    });
    await sessions.close(key);
    const capture = await captures.start({ session: key });
    await captures.wait(capture.id);
    await budget.record({ model: "gpt-4o", inputTokens: 1_200, outputTokens: 300 });
    await loci.settled();
  }
}

/** What the directory says, without what depends on how relevance is judged, times of reading or a release's own words. */
export async function answersOf(engine: OpenedEngine): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  for (const tenant of tenants) {
    const loci = lociOf(engine, tenant);
    await loci.settled();
    const listed = (await loci.memories.list({ scopes: [scope, "project:apollo"], pageSize: 1_000 })).memories;
    const best = async (query: string): Promise<string | undefined> =>
      (await loci.recall({ query, scopes: [scope, "project:apollo"], recordUsage: "none" })).hits[0]?.memory.text;
    const edited = listed.find(({ text }) => text.includes("black tea"));
    const { turns } = await loci.sessions.turns(key, {});
    const { calls, inputTokens, outputTokens } = await loci.budget.totals({});
    const { counts, findings } = await loci.maintenance.verify();
    answers[tenant] = {
      memories: listed
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .map(({ id, version, text, category, state, tags, createdAt }) => [
          id,
          version,
          text,
          category,
          state,
          tags,
          createdAt,
        ]),
      versions: (await loci.memories.versions(edited?.id ?? listed[0]!.id)).map(({ version, text }) => [version, text]),
      recalled: [await best("What is the code of the door?"), await best("When do we deploy?")],
      block: (await loci.blocks.get({ owner: scope, label: "core_memory" })).text,
      history: (await loci.blocks.history({ owner: scope, label: "core_memory" })).versions.map(
        ({ version }) => version,
      ),
      session: [(await loci.sessions.get(key)).state, turns.map(({ role, content }) => [role, content])],
      captures: (await loci.captures.list({ session: key })).captures.map(({ id, state }) => [id, state]),
      // Not what it cost: prices change.
      usage: { calls, inputTokens, outputTokens },
      verified: [counts["missing"], counts["stale"], counts["foreign"], findings],
    };
  }
  return answers;
}
