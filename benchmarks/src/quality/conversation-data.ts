import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Category, Instant, TurnRole } from "@loci/domain";
import { readLabelledLines } from "./labelled-data.ts";
import type { StoredConversation } from "./stored-conversation.ts";
import { instantOf } from "./spoken-time.ts";

/** One turn, as it is remembered. */
export interface Turn {
  /** Unique in its conversation. */
  readonly id: string;
  readonly session: number;
  readonly at: Instant;
  /** Empty when it is a memory that nobody speaks. */
  readonly speaker: string;
  /** Of such a memory, where the data says so. */
  readonly category?: Category;
  /** What the speaker is, where the data says so. */
  readonly role?: TurnRole;
  /** What was said and, where a picture was shown, its caption. */
  readonly content: string;
}

/** A question with what answers it. */
export interface Question {
  readonly text: string;
  /** What kind of question the data says that it is. */
  readonly category?: string;
  /** Only earlier sessions are known when it is asked. Absent: the whole conversation. */
  readonly beforeSession?: number;
  /** When it is asked. Absent: as the last turn that is known was said. */
  readonly asked?: Instant;
  /** What is to be found, at least one: ids of turns, or numbers of sessions as text. */
  readonly evidence: ReadonlySet<string>;
}

export interface Conversation {
  readonly name: string;
  /** True when each turn is a memory of its own, and no turn of a conversation. */
  readonly areMemories?: boolean;
  /** In the order they were said. */
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** Conversations with questions whose evidence is known. */
export interface ConversationSet {
  readonly name: "locomo" | "realmem" | "beam" | "sample" | "histories" | "grown" | "people";
  /** What evidence names. */
  readonly unit: "turn" | "session";
  readonly conversations: readonly Conversation[];
  /** True when each turn is remembered as a text, `Speaker: text`, and nobody says that it is of a conversation. */
  readonly areTexts?: boolean;
  /** True when each conversation is of another kind, and is reported for itself. */
  readonly areOfKinds?: boolean;
}

const files = [
  { name: "locomo", unit: "turn", folder: "locomo-dev" },
  { name: "realmem", unit: "session", folder: "realmem-dev" },
  { name: "beam", unit: "turn", folder: "beam-dev" },
] as const;

/** The sets that are found through `LOCI_BENCHMARK_DATA`. */
export const outsideSets: readonly ConversationSet["name"][] = files.map(({ name }) => name);

/**
 * Reads data sets that are not in the repository.
 *
 * @param folder what `LOCI_BENCHMARK_DATA` names
 * @param names which of {@link outsideSets}
 * @throws Error when a file is missing or is not what it should be
 */
export function readConversationSets(folder: string, names = outsideSets): readonly ConversationSet[] {
  return files
    .filter(({ name }) => names.includes(name))
    .map(({ name, unit, folder: subfolder }) => {
      const lines = readFileSync(join(folder, subfolder, "conversations.jsonl"), "utf8").split("\n");
      const entries = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as StoredConversation);
      return { name, unit, conversations: entries.map((entry) => conversationOf(entry, unit)) };
    });
}

/** The three conversations that are in the repository: friends, a user with an assistant, and one with tools. */
export function readSample(): ConversationSet {
  const entries = readLabelledLines("conversations-sample.jsonl") as readonly StoredConversation[];
  return { name: "sample", unit: "turn", conversations: entries.map((entry) => conversationOf(entry, "turn")) };
}

/** Four histories of one user with an assistant, each over half a year, with questions as they are asked afterwards. */
export function readHistories(): ConversationSet {
  return {
    name: "histories",
    unit: "turn",
    conversations: storedHistories().map((entry) => conversationOf(entry, "turn")),
  };
}

/** Eight stores of some hundred memories, each of another kind, such as mail or a diary. */
export function readGrownStores(): ConversationSet {
  return {
    name: "grown",
    unit: "turn",
    conversations: storedGrown().map((entry) => conversationOf(entry, "turn")),
    areOfKinds: true,
  };
}

/** Three stores in which only people talk: a family's chat, the mails of a house, a crew's chat. */
export function readPeopleStores(): ConversationSet {
  return {
    name: "people",
    unit: "turn",
    conversations: storedPeople().map((entry) => conversationOf(entry, "turn")),
    areOfKinds: true,
  };
}

/** The histories as they are stored: with the questions that nothing answers, and what was replaced. */
export function storedHistories(): readonly StoredConversation[] {
  return readLabelledLines("histories.jsonl") as readonly StoredConversation[];
}

/** The grown stores as they are stored: with the questions that nothing answers. */
export function storedGrown(): readonly StoredConversation[] {
  return readLabelledLines("grown-stores.jsonl") as readonly StoredConversation[];
}

/** The stores of people only as they are stored: with the questions that nothing answers. */
export function storedPeople(): readonly StoredConversation[] {
  return readLabelledLines("people-stores.jsonl") as readonly StoredConversation[];
}

/** Less than a memory may have, which is 64 KiB with the speaker's name. */
const maxBytes = 65_000;

/** The beginning of a text that is too long for a memory: one turn of all of them is, a pasted file. */
function cut(text: string): string {
  return Buffer.byteLength(text) <= maxBytes
    ? text
    : Buffer.from(text)
        .subarray(0, maxBytes)
        .toString()
        .replace(/\ufffd+$/u, "");
}

/** Turns of one session share its time in the data; here each is a second later than the one before. */
export function conversationOf(entry: StoredConversation, unit: ConversationSet["unit"]): Conversation {
  let previous = -Infinity;
  // A turn without words says nothing, and is no memory.
  const spoken = entry.turns.filter(({ text, caption }) => text !== "" || caption !== undefined);
  const turns = spoken.map(({ id, session, time, speaker = "", category, text, caption }): Turn => {
    previous = Math.max(instantOf(time), previous + 1_000);
    const content = cut(caption === undefined ? text : `${text} ${caption}`);
    const role = entry.roles?.[speaker];
    const said = { id, session, at: previous, speaker, content };
    return { ...said, ...(role === undefined ? {} : { role }), ...(category === undefined ? {} : { category }) };
  });
  const sessions = new Map(entry.turns.map(({ id, session }) => [id, session]));
  const questions = entry.qas.flatMap(
    ({ question, category, evidence, evidence_sessions = [], at, asked }): Question[] => {
      const beforeSession = at === undefined ? undefined : sessions.get(at);
      if (at !== undefined && beforeSession === undefined) throw new Error(`${entry.conv_id} has no turn ${at}.`);
      const found = unit === "turn" ? evidence.filter((id) => sessions.has(id)) : evidence_sessions.map(String);
      // Some questions have no answer in the conversation: nothing to find, so nothing to measure.
      if (found.length === 0) return [];
      const kind = category === undefined ? {} : { category };
      return [
        {
          text: question,
          ...kind,
          evidence: new Set(found),
          ...(beforeSession === undefined ? {} : { beforeSession }),
          ...(asked === undefined ? {} : { asked: Date.parse(asked) }),
        },
      ];
    },
  );
  return { name: entry.conv_id, areMemories: entry.areMemories === true, turns, questions };
}

/** What a turn is remembered as, when it is a memory by itself or a text of which nobody says that it is of a conversation. */
export function textOf({ speaker, content }: Turn): string {
  return speaker === "" ? content : `${speaker}: ${content}`;
}
