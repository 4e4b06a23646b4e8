import type { Conversation, ConversationSet, Turn } from "./conversation-data.ts";

/**
 * All conversations of a set as one: what somebody has who talks about many things for long. Sessions come in the order of their times, with numbers of
 * their own, and each question may know what was said before it in any of the conversations. It is as hard to answer as before, among more that is not meant.
 */
export function inOneStore({ conversations, ...set }: ConversationSet): ConversationSet {
  const sessions = conversations
    .flatMap((conversation, index) =>
      sessionsOf(conversation).map((turns) => ({ index, turns, at: (turns[0] as Turn).at })),
    )
    .toSorted((left, right) => left.at - right.at || left.index - right.index);
  const numbers = new Map(
    sessions.map(({ index, turns }, place) => [sessionName(index, (turns[0] as Turn).session), place + 1]),
  );
  const numberOf = (index: number, session: number): number => numbers.get(sessionName(index, session)) ?? session;
  let previous = -Infinity;
  const turns = sessions.flatMap(({ index, turns: said }) =>
    said.map((turn): Turn => {
      previous = Math.max(turn.at, previous + 1_000);
      return { ...turn, id: turnName(index, turn.id), session: numberOf(index, turn.session), at: previous };
    }),
  );
  const questions = conversations.flatMap(({ questions: asked }, index) =>
    asked.map(({ evidence, beforeSession, ...question }) => ({
      ...question,
      evidence: new Set(
        [...evidence].map((id) => (set.unit === "turn" ? turnName(index, id) : String(numberOf(index, Number(id))))),
      ),
      ...(beforeSession === undefined ? {} : { beforeSession: numberOf(index, beforeSession) }),
    })),
  );
  return { ...set, conversations: [{ name: "all", turns, questions }] };
}

function sessionName(conversation: number, session: number): string {
  return `${conversation}:${session}`;
}

function turnName(conversation: number, turn: string): string {
  return `${conversation}:${turn}`;
}

function sessionsOf({ turns }: Conversation): readonly (readonly Turn[])[] {
  return [...Map.groupBy(turns, ({ session }) => session).values()];
}
