// Conversations as sessions: at every tenth turn, is the context of a session that of the same turns as messages, byte for byte?
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type AssembledContext, type ChatMessage, type LayoutName, type Loci, LociError, openLoci } from "@loci/loci";
import { type Conversation, readConversationSets, readSample, type Turn } from "../quality/conversation-data.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const folder = process.env["LOCI_BENCHMARK_DATA"];
if (folder === undefined)
  console.error("SKIPPED: LoCoMo and BEAM. LOCI_BENCHMARK_DATA names no folder with their data.");
const every = 10;
const seenAnew = 200;
const layouts: readonly LayoutName[] = ["memoryBlocks", "threeTier"];

interface Replayed {
  contexts: number;
  readonly differing: string[];
}

const directory = await mkdtemp(join(tmpdir(), "loci-replay-"));
const figures: Record<string, { conversations: number; turns: number } & Replayed> = {};
try {
  await using loci = await openLoci({ tenant: "benchmark", dataDirectory: join(directory, "data"), index: "memory" });
  for (const set of [readSample(), ...(folder === undefined ? [] : readConversationSets(folder, ["locomo", "beam"]))]) {
    const figure = { conversations: set.conversations.length, turns: 0, contexts: 0, differing: [] as string[] };
    figures[set.name] = figure;
    const turns = set.conversations.flatMap((conversation) => conversation.turns);
    await replayInNewProcesses(set.name, turns, figure);
    for (const conversation of set.conversations) {
      figure.turns += conversation.turns.length;
      await replayAsSession(loci, `${set.name}-${conversation.name}`, conversation, figure);
      if (!values.json) process.stderr.write(".");
    }
  }
} finally {
  await rm(directory, { recursive: true });
}
if (values.json) console.log(JSON.stringify(figures));
else {
  process.stderr.write("\n");
  for (const [name, { conversations, turns, contexts, differing }] of Object.entries(figures))
    console.log(
      `${name}: ${conversations} conversations, ${turns} turns, ${contexts} contexts, ${differing.length} differ ${differing.slice(0, 5).join(", ")}`,
    );
}
process.exitCode = Object.values(figures).some(({ differing }) => differing.length > 0) ? 1 : 0;

async function replayAsSession(loci: Loci, id: string, { turns }: Conversation, replayed: Replayed): Promise<void> {
  const key = { scope: "user:replayed", id: id.slice(0, 100) } as const;
  // What was said as it was said: messages that an application gives are not redacted either.
  await loci.sessions.create({ ...key, capture: "off", keepSecrets: true });
  const [first] = turns;
  const messages = turns.map((turn): ChatMessage => ({ role: roleOf(turn, first), content: turn.content }));
  for (let last = 0; last < turns.length; last += every) {
    const next = turns.slice(last, last + every);
    const said = next.map((turn) => ({ role: roleOf(turn, first), content: turn.content, at: turn.at }));
    await loci.sessions.append(key, { expectedLast: last, turns: said });
    const layout = layouts[(last / every) % layouts.length] as LayoutName;
    const request = {
      layout,
      query: "What now?",
      model: "gpt-4o",
      window: { preset: "8K" },
      evaluationTime: 0,
    } as const;
    const ofSession = await bytesOf(loci.assemble({ ...request, session: key }));
    const ofMessages = await bytesOf(loci.assemble({ ...request, messages: messages.slice(0, last + next.length) }));
    replayed.contexts++;
    if (ofSession !== ofMessages) replayed.differing.push(`${id}#${last + next.length}`);
  }
}

/** All conversations of a set as one session, which a new process sees for the first time at every 200th turn. */
async function replayInNewProcesses(name: string, turns: readonly Turn[], replayed: Replayed): Promise<void> {
  const key = { scope: "user:replayed", id: `${name}-as-one` } as const;
  const options = { tenant: "benchmark", dataDirectory: join(directory, "as-one"), index: "memory" } as const;
  const [first] = turns;
  const messages = turns.map((turn): ChatMessage => ({ role: roleOf(turn, first), content: turn.content }));
  for (let last = 0; last < turns.length; last += seenAnew) {
    await using loci = await openLoci(options);
    if (last === 0) await loci.sessions.create({ ...key, capture: "off", keepSecrets: true });
    const next = turns.slice(last, last + seenAnew);
    const said = next.map((turn) => ({ role: roleOf(turn, first), content: turn.content, at: turn.at }));
    for (let start = 0; start < said.length; start += every)
      await loci.sessions.append(key, { expectedLast: last + start, turns: said.slice(start, start + every) });
    const request = { query: "What now?", window: { preset: "8K" }, evaluationTime: 0 } as const;
    const ofSession = await bytesOf(loci.assemble({ ...request, session: key }));
    const ofMessages = await bytesOf(loci.assemble({ ...request, messages: messages.slice(0, last + next.length) }));
    replayed.contexts++;
    if (ofSession !== ofMessages) replayed.differing.push(`${name} as one#${last + next.length}`);
    await loci.settled();
  }
}

/** Of friends, who spoke first is the user. */
function roleOf({ role, speaker }: Turn, first: Turn | undefined): "user" | "assistant" {
  if (role !== undefined) return role === "assistant" ? "assistant" : "user";
  return speaker === first?.speaker ? "user" : "assistant";
}

/** Also of a refusal: what was said last may be larger than the window. */
async function bytesOf(context: Promise<AssembledContext>): Promise<string> {
  try {
    const { text, messages, sections, receipt, usage, cache } = await context;
    return JSON.stringify([text, messages, sections, receipt, usage, cache]);
  } catch (error) {
    if (LociError.is(error) && error.code === "FAILED_PRECONDITION") return `${error.reason}: ${error.message}`;
    throw error;
  }
}
