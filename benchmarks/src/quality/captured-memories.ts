import type { Embedder } from "@loci/embedding";
import type { Loci, MemoryId, ScopeText, TurnInput } from "@loci/loci";
import { keptInContext } from "./context-evidence.ts";
import type { Conversation, ConversationSet, Question, Turn } from "./conversation-data.ts";
import { cuts, meanOf, shareOf } from "./evidence-share.ts";
import type { FurtherMeasure } from "./further-measures.ts";
import { openTemporaryLoci } from "./replay.ts";

const knowledgeTokens = 1_024;
const turnsPerCall = 100;

/** What memories stand for: turns of the conversation. */
type TurnsOf = ReadonlyMap<string, readonly string[]>;

/** One conversation as it is remembered: turn by turn in one scope, what was captured in another. */
interface Remembered {
  readonly scopes: { readonly turns: ScopeText; readonly captured: ScopeText };
  readonly turnsOf: TurnsOf;
  /** When the questions are asked: as the last turn was said. */
  readonly evaluationTime: number;
}

const ways = [
  { name: "turns", scopesOf: ({ turns }: Remembered["scopes"]) => [turns] },
  { name: "captured memories", scopesOf: ({ captured }: Remembered["scopes"]) => [captured] },
  { name: "both", scopesOf: ({ turns, captured }: Remembered["scopes"]) => [turns, captured] },
] as const;

/**
 * What captures add to recall: evidence among the best 5, 10 and 20 and in a context of 1,024 tokens when the turns of a
 * conversation are recalled, what rules have captured of them, or both. A captured memory stands for the turns that it cites. Where
 * people talk with each other, each is the user of a capture of their own.
 */
export async function capturedMeasures(
  { name, conversations }: ConversationSet,
  embedder: Embedder,
): Promise<readonly FurtherMeasure[]> {
  const shares = new Map<string, number[]>();
  const cited: number[] = [];
  const updates = { asked: 0, byNew: 0, byOldAlone: 0 };
  let turns = 0;
  let memories = 0;
  for (const conversation of conversations) {
    await using loci = await openTemporaryLoci(embedder);
    const remembered = await rememberBoth(loci, name, conversation);
    turns += conversation.turns.length;
    const active = await capturedIn(loci, remembered.scopes.captured);
    memories += active.length;
    const evidenceOfActive = active.map((id) => remembered.turnsOf.get(id) ?? []);
    for (const question of conversation.questions) {
      cited.push(shareOf(evidenceOfActive.flat(), question.evidence));
      countUpdate(updates, question, evidenceOfActive);
      for (const way of ways)
        for (const [measure, share] of await sharesOf(
          { loci, question, remembered },
          way.scopesOf(remembered.scopes),
        )) {
          const key = `${measure}, ${way.name} recalled`;
          shares.set(key, [...(shares.get(key) ?? []), share]);
        }
    }
  }
  const percent = (value: number): number => Math.round(1_000 * value) / 10;
  return [
    {
      name: `${name}: captured memories per turn`,
      value: Math.round((100 * memories) / turns) / 100,
      unit: `of ${turns} turns`,
    },
    { name: `${name}: evidence that captured memories cite`, value: percent(meanOf(cited)), unit: "percent" },
    ...[...shares].map(([measure, values]) => ({
      name: `${name}: ${measure}`,
      value: percent(meanOf(values)),
      unit: `percent of ${values.length} questions`,
    })),
    ...(updates.asked === 0
      ? []
      : [
          {
            name: `${name}: updates of which a captured memory cites the new turn`,
            value: updates.byNew,
            unit: `of ${updates.asked}`,
          },
          {
            name: `${name}: updates of which only the old turn is cited`,
            value: updates.byOldAlone,
            unit: `of ${updates.asked}`,
          },
        ]),
  ];
}

/** Of the questions about something that changed, by what captured memories in force cite. */
export interface UpdateCounts {
  asked: number;
  byNew: number;
  byOldAlone: number;
}

/** Captures conversations by rules, and counts of what changed in them whether a memory in force cites the new turn. */
export async function capturedUpdates(
  conversations: readonly Conversation[],
  embedder: Embedder,
): Promise<UpdateCounts> {
  const updates: UpdateCounts = { asked: 0, byNew: 0, byOldAlone: 0 };
  for (const conversation of conversations) {
    if (!conversation.questions.some(({ category }) => category === "knowledge_update")) continue;
    await using loci = await openTemporaryLoci(embedder);
    const scope = "session:updates";
    for (const [session, said] of Map.groupBy(conversation.turns, (turn) => turn.session))
      for (const user of usersOf(conversation)) await captureSession(loci, { scope, said, user, session });
    const cited: (readonly string[])[] = [];
    for (const id of await capturedIn(loci, scope)) cited.push(await citedBy(loci, id, conversation));
    for (const question of conversation.questions) countUpdate(updates, question, cited);
  }
  return updates;
}

/** Counted where the data has an old and a new turn. */
function countUpdate(
  updates: UpdateCounts,
  { category, evidence }: Question,
  cited: readonly (readonly string[])[],
): void {
  if (category !== "knowledge_update" || evidence.size < 2) return;
  const inOrder = [...evidence].toSorted((left, right) => Number(left) - Number(right));
  const [oldest, newest] = [inOrder[0], inOrder.at(-1)];
  const isCited = (id: string | undefined): boolean => id !== undefined && cited.some((ids) => ids.includes(id));
  updates.asked++;
  if (isCited(newest)) updates.byNew++;
  else if (isCited(oldest)) updates.byOldAlone++;
}

interface Asked {
  readonly loci: Loci;
  readonly question: Question;
  readonly remembered: Remembered;
}

async function sharesOf(
  { loci, question, remembered: { turnsOf, evaluationTime } }: Asked,
  scopes: readonly ScopeText[],
): Promise<readonly (readonly [string, number])[]> {
  const standFor = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => turnsOf.get(id) ?? []);
  const most = cuts.at(-1);
  const { hits } = await loci.recall({
    query: question.text,
    scopes,
    evaluationTime,
    limit: most,
    recordUsage: "none",
  });
  const found = hits.map(({ memory }) => memory.id);
  const kept = await keptInContext(
    { loci, question, evaluationTime, scopes },
    { profile: undefined, layout: "memoryBlocks", knowledge: knowledgeTokens },
  );
  return [
    ...cuts.map((cut): [string, number] => [`R@${cut}`, shareOf(standFor(found.slice(0, cut)), question.evidence)]),
    [`evidence in ${knowledgeTokens} tokens`, shareOf(standFor(kept), question.evidence)],
  ];
}

async function rememberBoth(loci: Loci, set: string, conversation: Conversation): Promise<Remembered> {
  const place = `${set}-${conversation.name}`;
  const scopes = { turns: `session:${place}-turns`, captured: `session:${place}-captured` } as const;
  const turnsOf = new Map<string, readonly string[]>();
  const sessions = [...Map.groupBy(conversation.turns, ({ session }) => session)];
  for (const [session, said] of sessions) {
    const input = { session: `${place}-${session}`, scope: scopes.turns, turns: said.map(withoutSession) };
    const memories = await loci.memories.rememberConversation(input);
    for (const [index, { id }] of memories.entries()) turnsOf.set(id, [said[index]?.id ?? ""]);
    for (const user of usersOf(conversation))
      await captureSession(loci, { scope: scopes.captured, said, user, session });
  }
  await loci.settled();
  for (const id of await capturedIn(loci, scopes.captured)) turnsOf.set(id, await citedBy(loci, id, conversation));
  return { scopes, turnsOf, evaluationTime: conversation.turns.at(-1)?.at ?? 0 };
}

function withoutSession({ session: _session, ...turn }: Turn): Omit<Turn, "session"> {
  return turn;
}

/** With an assistant the user is one; of friends it is each in turn. */
function usersOf({ turns }: Conversation): readonly string[] {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  const users = speakers.filter((speaker) => /^user$/i.test(speaker));
  return users.length > 0 ? users : speakers;
}

interface SessionOfUser {
  readonly scope: ScopeText;
  readonly said: readonly Turn[];
  readonly user: string;
  readonly session: number;
}

async function captureSession(loci: Loci, { scope, said, user, session }: SessionOfUser): Promise<void> {
  const key = { scope, id: `${session}-${user}` };
  const turns = said.map(({ speaker, content, at }): TurnInput => {
    return { role: speaker === user ? "user" : "assistant", content, at };
  });
  await loci.sessions.create({ ...key, capture: "off" });
  for (let last = 0; last < turns.length; last += turnsPerCall)
    await loci.sessions.append(key, { expectedLast: last, turns: turns.slice(last, last + turnsPerCall) });
  await loci.captures.start({ session: key });
  // One job for each 200 turns.
  for (const { id } of (await loci.captures.list({ session: key })).captures) await loci.captures.wait(id);
}

async function capturedIn(loci: Loci, scope: ScopeText): Promise<readonly MemoryId[]> {
  const ids: MemoryId[] = [];
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.list({ scopes: [scope], pageSize: 1_000, pageToken });
    ids.push(
      ...page.memories
        .filter(({ validTo, supersededBy }) => validTo === undefined && supersededBy === undefined)
        .map(({ id }) => id),
    );
    if (page.nextPageToken === undefined) return ids;
    pageToken = page.nextPageToken;
  }
}

async function citedBy(loci: Loci, id: MemoryId, { turns }: Conversation): Promise<readonly string[]> {
  const evidence = await loci.captures.evidence(id);
  return [
    ...new Set(
      evidence.flatMap(({ session, turn }) => {
        const number = Number(session.id.split("-")[0]);
        return turns.filter((said) => said.session === number)[turn - 1]?.id ?? [];
      }),
    ),
  ];
}
