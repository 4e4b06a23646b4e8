import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@loci/embedding";
import { type Loci, type Memory, openLoci, type RememberInput, type ScopeText } from "@loci/loci";
import { type Conversation, type ConversationSet, type Question, textOf, type Turn } from "./conversation-data.ts";

/** What a question is asked with, and which turn or session a memory is. */
export interface AskedQuestion {
  readonly loci: Loci;
  readonly question: Question;
  readonly scope: ScopeText;
  /** When it is asked: as the question says, else as the last turn that is known was said. */
  readonly evaluationTime: number;
  readonly unitOf: (memory: Pick<Memory, "id">) => string;
}

/** Opens Loci on a new folder that goes away when it is closed. The embedder stays open. */
export async function openTemporaryLoci(embedder: Embedder): Promise<Loci & AsyncDisposable> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "quality-"));
  const loci = await openLoci({
    tenant: "benchmark",
    dataDirectory,
    embedder: { ...embedder, close: async () => {} },
  });
  const close = async (): Promise<void> => {
    await loci.close();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { ...loci, close, [Symbol.asyncDispose]: close };
}

/**
 * Remembers a conversation through the public API, session by session, and asks each question when all that it may know
 * has been said, and nothing more.
 */
export async function replay(
  loci: Loci,
  { name, unit, areTexts = false }: Pick<ConversationSet, "name" | "unit" | "areTexts">,
  conversation: Conversation,
  ask: (asked: AskedQuestion, index: number) => Promise<void>,
): Promise<void> {
  const scope: ScopeText = `session:${name}-${conversation.name}`;
  const units = new Map<string, string>();
  const waiting = conversation.questions
    .map((question, index) => ({ question, index }))
    .toSorted((left, right) => (left.question.beforeSession ?? Infinity) - (right.question.beforeSession ?? Infinity));
  let lastTime = 0;
  const askUpTo = async (session: number): Promise<void> => {
    while ((waiting[0]?.question.beforeSession ?? Infinity) <= session) {
      const next = waiting.shift();
      if (next === undefined) return;
      const unitOf = ({ id }: Pick<Memory, "id">): string => units.get(id) ?? "";
      await ask(
        { loci, question: next.question, scope, evaluationTime: next.question.asked ?? lastTime, unitOf },
        next.index,
      );
    }
  };
  for (const turns of sessionsOf(conversation)) {
    const session = (turns[0] as Turn).session;
    await askUpTo(session);
    const memories =
      areTexts || conversation.areMemories === true
        ? await loci.memories.rememberMany(turns.map((turn) => memoryOf(turn, scope)))
        : await loci.memories.rememberConversation({
            session: `${conversation.name}-${session}`,
            scope,
            turns: turns.map(({ id, speaker, role, content, at }) => ({ id, speaker, role, content, at })),
          });
    memories.forEach((memory, index) =>
      units.set(memory.id, unit === "turn" ? (turns[index]?.id ?? "") : String(session)),
    );
    lastTime = turns.at(-1)?.at ?? lastTime;
  }
  await loci.settled();
  await askUpTo(Infinity);
}

/** A turn as a memory of its own. */
export function memoryOf(turn: Turn, scope: ScopeText): RememberInput {
  const { at, category } = turn;
  return { text: textOf(turn), scope, createdAt: at, ...(category === undefined ? {} : { category }) };
}

function sessionsOf({ turns }: Conversation): readonly (readonly Turn[])[] {
  const sessions: Turn[][] = [];
  for (const turn of turns) {
    const current = sessions.at(-1);
    if (current?.[0]?.session === turn.session) current.push(turn);
    else sessions.push([turn]);
  }
  return sessions;
}
