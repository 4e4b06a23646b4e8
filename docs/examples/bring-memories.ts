// What `docs/guides/coming-from-another-memory.md` shows: what the calls of other memories are here, and how theirs come over.
// As a program: `node bring-memories.ts mem0 < mem0.json > memories.jsonl`, then `loci import memories.jsonl`.
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import type {
  AppendedTurns,
  Block,
  Instant,
  Loci,
  Memory,
  Metadata,
  ScopeText,
  SessionKeyInput,
  TurnInput,
} from "@loci/loci";

/** Keeps what was said, and tells what was learned from it: each memory, and the one whose place it took. */
export async function addMessages(loci: Loci, user: string, turns: readonly TurnInput[]): Promise<readonly string[]> {
  const { learned } = await loci.sessions.appendAndCapture({ scope: `user:${user}` }, { turns });
  return learned.map(({ decision, memory, closed }) => `${decision}: ${memory?.text} (${closed?.text ?? "new"})`);
}

/** A fact that takes the place of another one, with the day from which it holds. */
export async function replaceFact(loci: Loci, old: Memory, text: string, validFrom: Instant): Promise<Memory> {
  const { scope, slot } = old;
  const fresh = await loci.memories.remember({ text, scope, slot, validFrom });
  await loci.memories.update(old.id, { validTo: validFrom, supersededBy: fresh.id }, { etag: old.etag });
  return fresh;
}

/** A memory of another store. */
export interface Brought {
  /** Where it was, and its id there: the same one becomes the same memory, however often it is brought. */
  readonly from: string;
  readonly text: string;
  readonly scope: ScopeText;
  readonly createdAt: Instant;
  readonly validFrom?: Instant | undefined;
  readonly validTo?: Instant | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Metadata | undefined;
}

/** A line as `loci export` writes them. */
export function importLine({ from, createdAt, ...memory }: Brought): string {
  const origin = { origin: "import", provenance: { sourceId: from, kind: "document" } };
  const times = { createdAt, updatedAt: createdAt };
  return JSON.stringify({
    format: "loci-memory-1",
    id: idOf(from, createdAt),
    state: "active",
    ...origin,
    ...times,
    ...memory,
  });
}

/** A UUIDv7 that is made of the memory's time and of its former id. */
function idOf(from: string, at: Instant): string {
  const time = at.toString(16).padStart(12, "0");
  const hash = createHash("sha256").update(from).digest("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

interface Mem0Memory {
  readonly id: string;
  readonly memory: string;
  readonly user_id?: string | null;
  readonly agent_id?: string | null;
  readonly run_id?: string | null;
  readonly created_at: string;
  readonly categories?: readonly string[] | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/** A memory there may have several owners; here it has one, and the others stand in its metadata. */
export function fromMem0({ id, memory, created_at, categories, metadata, ...ids }: Mem0Memory): Brought {
  const { user_id, agent_id, run_id } = ids;
  const owners = [user_id && `user:${user_id}`, agent_id && `agent:${agent_id}`, run_id && `session:${run_id}`];
  return {
    from: `mem0:${id}`,
    text: memory,
    scope: (owners.find(Boolean) ?? "global") as ScopeText,
    createdAt: Date.parse(created_at),
    tags: categories ?? [],
    metadata: flat({ ...metadata, user_id, agent_id, run_id }),
  };
}

/** Metadata here is text, numbers and booleans by name. */
function flat(fields: Readonly<Record<string, unknown>>): Metadata {
  const kept = Object.entries(fields).filter(
    ([name, value]) => /^[A-Za-z]\w{0,63}$/.test(name) && ["string", "number", "boolean"].includes(typeof value),
  );
  return Object.fromEntries(kept) as Metadata;
}

interface LettaPassage {
  readonly id: string;
  readonly agent_id: string;
  readonly text: string;
  readonly created_at: string;
  readonly tags?: readonly string[] | null;
}

export function fromLetta({ id, agent_id, text, created_at, tags }: LettaPassage): Brought {
  return { from: `letta:${id}`, text, scope: `agent:${agent_id}`, createdAt: Date.parse(created_at), tags: tags ?? [] };
}

interface ZepFact {
  readonly uuid: string;
  readonly user_id: string;
  readonly fact: string;
  readonly created_at: string;
  readonly valid_at?: string | null;
  readonly invalid_at?: string | null;
  readonly expired_at?: string | null;
}

export function fromZep({ uuid, user_id, fact, created_at, valid_at, invalid_at, expired_at }: ZepFact): Brought {
  const validFrom = valid_at ? Date.parse(valid_at) : undefined;
  const ended = invalid_at ?? expired_at;
  // A time that has an end lasts at least for a moment.
  const validTo = ended ? Math.max(Date.parse(ended), (validFrom ?? 0) + 1) : undefined;
  const createdAt = Date.parse(created_at);
  return { from: `zep:${uuid}`, text: fact, scope: `user:${user_id}`, createdAt, validFrom, validTo };
}

interface LangGraphItem {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** The last part of a namespace is whose memory it is: `("memories", "ann")`. Its other parts become tags. */
export function fromLangMem({ namespace, key, value, created_at }: LangGraphItem): Brought {
  const { content = value } = value;
  const inner = typeof content === "object" && content !== null && "content" in content ? content.content : content;
  const text = typeof inner === "string" ? inner : JSON.stringify(inner);
  const from = `langgraph:${[...namespace, key].join("/")}`;
  const scope = `user:${namespace.at(-1) ?? ""}` as const;
  return { from, text, scope, createdAt: Date.parse(created_at), tags: namespace.slice(0, -1) };
}

/** Memory blocks as one document, a core memory. */
export async function bringBlocks(
  loci: Loci,
  agent: string,
  blocks: readonly { readonly label: string; readonly value: string }[],
): Promise<Block> {
  const sections = blocks.map(({ label, value }) => `## ${label}\n${value}\n`);
  const text = ["<!-- BUDGET: 200 lines, 4000 tokens -->", ...sections].join("\n");
  return loci.blocks.create({ owner: `agent:${agent}`, label: "core_memory", values: { text } });
}

/** A conversation with its times. No memories are made of it: bring the other store's, or ask for a capture. */
export async function bringConversation(
  loci: Loci,
  session: SessionKeyInput,
  turns: readonly (TurnInput & { readonly at: Instant })[],
): Promise<AppendedTurns["lastTurn"]> {
  let { lastTurn } = await loci.sessions.create({ ...session, createdAt: turns[0]?.at, capture: "off" });
  for (let first = 0; first < turns.length; first += 100) {
    const some = turns.slice(first, first + 100);
    ({ lastTurn } = await loci.sessions.append(session, { expectedLast: lastTurn, turns: some }));
  }
  return lastTurn;
}

const readers = { mem0: fromMem0, letta: fromLetta, zep: fromZep, langmem: fromLangMem };

/** What a file of the other store holds: an object a line, a list, or an object with a list, such as mem0's `{"results": […]}`. */
function recordsOf(file: string): readonly unknown[] {
  let whole: unknown;
  try {
    whole = JSON.parse(file);
  } catch {
    return file
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(recordOf);
  }
  if (Array.isArray(whole)) return whole;
  const lists = Object.values(whole as object).filter((value) => Array.isArray(value));
  return (
    lists.find((list: unknown[]) => list.length > 0 && list.every((entry) => typeof entry === "object")) ?? [whole]
  );
}

function recordOf(line: string, index: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`Line ${index + 1} is no JSON: pass a list, an object with a list, or an object a line.`);
  }
}

if (process.argv[1] === import.meta.filename) {
  const store = process.argv[2] ?? "";
  if (!Object.hasOwn(readers, store))
    throw new Error(`Name one of ${Object.keys(readers).join(", ")}, not "${store}".`);
  const read = readers[store as keyof typeof readers] as (record: unknown) => Brought;
  for (const record of recordsOf(await text(process.stdin))) console.log(importLine(read(record)));
}
