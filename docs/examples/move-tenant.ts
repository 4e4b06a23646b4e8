// What `docs/guides/postgresql.md` tells of: a tenant's memories, conversations and blocks go from one Loci to another one.
// As a program: `node move-tenant.ts DIRECTORY TENANT HOST:PORT [SCOPE…]`, with a key of that server in LOCI_API_KEY.
import { connectLoci } from "@loci/client";
import { formatScope, type Loci, LociError, openLoci } from "@loci/loci";
import type { Block, ListBlocksRequest, ScopeText, SessionKeyInput, Turn, TurnInput } from "@loci/loci";

/** Copies everything of these scopes, and all memories. Again copies what is new, and changes nothing else. */
export async function moveTenant(from: Loci, to: Loci, scopes: readonly ScopeText[]): Promise<void> {
  await moveMemories(from, to);
  for (const { name, fields, description } of await from.blocks.schemas.list())
    await unlessThere(() => to.blocks.schemas.create({ name, fields, description }));
  for (const owner of scopes)
    for (const schema of [undefined, "memory_file"])
      for await (const { label, schema: form, values, policy, description } of blocksOf(from, { owner, schema }))
        await unlessThere(() => to.blocks.create({ owner, label, schema: form, values, policy, description }));
  for (let pageToken: string | undefined; ;) {
    const { sessions, nextPageToken } = await from.sessions.list({ scopes, pageSize: 1_000, pageToken });
    for (const { scope, id } of sessions) await moveSession(from, to, { scope, id });
    if (nextPageToken === undefined) return;
    pageToken = nextPageToken;
  }
}

/** An answer has the next of them by label, until there are no more. */
async function* blocksOf(from: Loci, request: ListBlocksRequest): AsyncGenerator<Block> {
  for (let after: string | undefined; ;) {
    const blocks = await from.blocks.list({ ...request, after });
    yield* blocks;
    after = blocks.at(-1)?.label;
    if (after === undefined) return;
  }
}

/** Says which stay behind: what was erased at the new place, and what may not be stored any more. */
async function moveMemories(from: Loci, to: Loci): Promise<void> {
  for (let after: string | undefined; ;) {
    const { lines, next } = await from.maintenance.exportMemories({ after });
    const { erased, leftOut = [] } = lines.length > 0 ? await to.maintenance.importMemories(lines) : { erased: 0 };
    if (erased > 0) console.warn(`${erased} memories were erased at the new place, and stay so.`);
    for (const { index, problem } of leftOut) console.warn(`Left out: ${memoryIn(lines[index])}: ${problem}`);
    if (next === undefined) return;
    after = next;
  }
}

function memoryIn(line = "{}"): string {
  return String((JSON.parse(line) as { readonly id?: string }).id);
}

/** The turns with their times, and where the work stands. What was learnt of them has come with the memories, and is not learnt again. */
async function moveSession(from: Loci, to: Loci, key: SessionKeyInput): Promise<void> {
  const { state, lastTurn, agent, project, title, keepSecrets, createdAt } = await from.sessions.get(key);
  const settings = { agent, project, title, keepSecrets, createdAt, capture: "off" } as const;
  await unlessThere(() => to.sessions.create({ ...key, ...settings }));
  for (let { lastTurn: done } = await to.sessions.get(key); done < lastTurn;) {
    const { turns } = await from.sessions.turns(key, { first: done + 1, pageSize: 100 });
    ({ lastTurn: done } = await to.sessions.append(key, {
      expectedLast: done,
      turns: turns.map(withoutNumber),
    }));
  }
  const work = await from.sessions.turnState.load(key);
  if (work.etag !== undefined) await to.sessions.turnState.save(key, work.state);
  if (state === "closed") await to.sessions.close(key);
}

/** Its place is given anew, and is the same. */
function withoutNumber({ role, content, name, toolCalls, toolCallId, at, recalled }: Turn): TurnInput {
  return { role, content, name, toolCalls, toolCallId, at, recalled };
}

async function unlessThere(make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!LociError.is(error) || error.code !== "ALREADY_EXISTS") throw error;
  }
}

async function scopesWithMemories(loci: Loci): Promise<readonly ScopeText[]> {
  const found: ScopeText[] = [];
  for (let pageToken: string | undefined; ;) {
    const { scopes, nextPageToken } = await loci.memories.scopes({ pageToken });
    found.push(...scopes.map(({ scope }) => formatScope(scope)));
    if (nextPageToken === undefined) return found;
    pageToken = nextPageToken;
  }
}

if (process.argv[1] === import.meta.filename) {
  const [dataDirectory = "", tenant = "", address = "", ...named] = process.argv.slice(2);
  await using from = await openLoci({ tenant, dataDirectory, create: false });
  await using to = connectLoci({ address, apiKey: process.env["LOCI_API_KEY"] });
  const scopes = new Set([...(await scopesWithMemories(from)), ...(named as ScopeText[])]);
  await moveTenant(from, to, [...scopes]);
  console.log(`Moved: ${[...scopes].join(", ")}`);
}
