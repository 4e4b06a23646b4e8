import { readFileSync } from "node:fs";
import type { Category, Instant, TurnRole } from "@loci/domain";
import type { StoredConversation } from "./stored-conversation.ts";

/** A memory of a labelled set. */
export interface DatedText {
  readonly text: string;
  readonly at: Instant;
}

/** A fact that a user told, and a question that it answers. */
export interface FactQuestion extends DatedText {
  readonly id: string;
  readonly question: string;
  readonly asked: Instant;
}

/** A question that no fact of {@link readFacts} answers. */
export interface OffTopicQuestion {
  readonly id: string;
  /** `near`: of the user's own life; the others are of the world, or ask for something to be done. */
  readonly kind: "general" | "task" | "world" | "near";
  readonly question: string;
}

/** Two facts about one thing. */
export interface FactPair {
  readonly id: string;
  /** Pairs of one store are remembered together. */
  readonly store: string;
  /** The newer replaces the older; else both hold. */
  readonly contradict: boolean;
  readonly question: string;
  readonly asked: Instant;
  readonly older: DatedText & { readonly slot?: string };
  readonly newer: DatedText & { readonly slot?: string };
}

/** Memories of some months, with questions for the latest of a topic. */
export interface LatestStore {
  readonly store: string;
  readonly asked: Instant;
  /** Oldest first. With a speaker it is a turn of a conversation, else a memory of its category. */
  readonly memories: readonly LatestMemory[];
  readonly questions: readonly LatestQuestion[];
}

export interface LatestMemory extends DatedText {
  readonly id: string;
  /** Absent: of none that is asked for. */
  readonly topic?: string;
  readonly category?: Category;
  readonly speaker?: string;
}

export interface LatestQuestion {
  readonly question: string;
  readonly topic: string;
  /** The id of the memory that answers it. */
  readonly newest: string;
}

/** A store as somebody has one, and 15 questions as they ask it. */
export type OwnStore = OwnDocuments | OwnConversation | OwnFacts;

interface OwnQuestions<Answer> {
  readonly store: string;
  readonly asked: Instant;
  readonly questions: readonly {
    readonly id: string;
    readonly question: string;
    /** Each of them answers it. */
    readonly answers: readonly Answer[];
  }[];
}

/** Files and folders of this repository. A piece of the source that holds the words answers. */
export interface OwnDocuments extends OwnQuestions<{ readonly source: string; readonly holds: string }> {
  readonly paths: readonly string[];
}

/** A chat, as conversations are stored. The ids of turns answer. */
export interface OwnConversation extends OwnQuestions<string> {
  readonly roles: Readonly<Record<string, TurnRole>>;
  readonly turns: StoredConversation["turns"];
}

/** Facts of one user. Their ids answer. */
export interface OwnFacts extends OwnQuestions<string> {
  readonly facts: readonly (DatedText & { readonly id: string })[];
}

/** Facts of one kind, such as tickets or a household's, in one language, with questions as people ask them. */
export interface KindOfStore extends OwnFacts {
  /** Questions that none of the facts answers. */
  readonly offTopic: readonly string[];
}

/** A store as it is after weeks of use: a chat, or memories of one kind. */
export type LivedInStore = LivedInConversation | LivedInFacts;
interface LivedInConversation extends Omit<OwnConversation, "questions">, LivedInQuestions {}
interface LivedInFacts extends Omit<OwnFacts, "questions">, LivedInQuestions {}

interface LivedInQuestions {
  readonly questions: readonly LivedInQuestion[];
  /** Questions that nothing in the store answers. */
  readonly offTopic: readonly string[];
}

export interface LivedInQuestion {
  readonly id: string;
  readonly question: string;
  readonly answers: readonly string[];
  /** It takes all of the answers. Absent: each of them answers it. */
  readonly together?: true;
}

const folder = new URL("../../data/", import.meta.url);

/** The lines of a file in `benchmarks/data`, as they are. */
export function readLabelledLines(name: string): readonly unknown[] {
  const lines = readFileSync(new URL(name, folder), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as unknown);
}

/** What a line holds where the type above has an instant: text such as `2026-06-01T12:00:00Z`. */
type Stored<Shape> = {
  readonly [Field in keyof Shape]: Field extends "at" | "asked"
    ? string
    : Shape[Field] extends readonly (infer Item extends object)[]
      ? readonly Stored<Item>[]
      : Shape[Field] extends object
        ? Stored<Shape[Field]>
        : Shape[Field];
};

export function readFacts(): readonly FactQuestion[] {
  const lines = readLabelledLines("facts.jsonl") as readonly (Omit<Stored<FactQuestion>, "text"> & { fact: string })[];
  return lines.map(({ id, fact, at, question, asked }) => {
    return { id, text: fact, at: Date.parse(at), question, asked: Date.parse(asked) };
  });
}

export function readOffTopic(): readonly OffTopicQuestion[] {
  return readLabelledLines("off-topic.jsonl") as readonly OffTopicQuestion[];
}

export function readFactPairs(): readonly FactPair[] {
  const lines = readLabelledLines("replaced-facts.jsonl") as readonly Stored<FactPair>[];
  return lines.map((pair) => ({
    ...pair,
    asked: Date.parse(pair.asked),
    older: { ...pair.older, at: Date.parse(pair.older.at) },
    newer: { ...pair.newer, at: Date.parse(pair.newer.at) },
  }));
}

export function readLatestStores(): readonly LatestStore[] {
  const lines = readLabelledLines("latest.jsonl") as readonly Stored<LatestStore>[];
  return lines.map(({ store, asked, memories, questions }) => ({
    store,
    questions,
    asked: Date.parse(asked),
    memories: memories.map((memory) => ({ ...memory, at: Date.parse(memory.at) })),
  }));
}

export function readOwnStores(): readonly OwnStore[] {
  const lines = readLabelledLines("own-questions.jsonl") as readonly Stored<OwnStore>[];
  return lines.map((line) => {
    const asked = Date.parse(line.asked);
    if (!("facts" in line)) return { ...line, asked };
    return { ...line, asked, facts: line.facts.map((fact) => ({ ...fact, at: Date.parse(fact.at) })) };
  });
}

/** A question to one of the chats of {@link readOwnStores} for what was told in it before. */
export interface ToldBefore {
  readonly id: string;
  readonly store: string;
  readonly question: string;
  /** What the assistant said: turns that each answer. */
  readonly answers?: readonly string[];
  /** The course of something: its parts, each told by any of some turns. */
  readonly parts?: readonly (readonly string[])[];
}

export function readToldBefore(): readonly ToldBefore[] {
  return readLabelledLines("told-before.jsonl") as readonly ToldBefore[];
}

export function readKindsOfStores(): readonly KindOfStore[] {
  const lines = readLabelledLines("kinds-of-stores.jsonl") as readonly Stored<KindOfStore>[];
  return lines.map((line) => ({
    ...line,
    asked: Date.parse(line.asked),
    facts: line.facts.map((fact) => ({ ...fact, at: Date.parse(fact.at) })),
  }));
}

export function readLivedInStores(): readonly LivedInStore[] {
  const lines = readLabelledLines("lived-in-stores.jsonl") as readonly Stored<LivedInStore>[];
  return lines.map((line) => {
    const asked = Date.parse(line.asked);
    if (!("facts" in line)) return { ...line, asked };
    return { ...line, asked, facts: line.facts.map((fact) => ({ ...fact, at: Date.parse(fact.at) })) };
  });
}
