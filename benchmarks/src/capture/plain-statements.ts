import type { CaptureCandidate } from "@loci/domain";
import { readLabelledLines } from "../quality/labelled-data.ts";
import type { CaptureDialogue, MemoryPair } from "./capture-data.ts";

/** What a user says in one sentence, and whether an assistant should keep it. */
export interface PlainSentence {
  readonly id: string;
  readonly text: string;
  readonly keep: boolean;
  /** Groups of alternatives, one of each of which stands in what is kept; `*` goes on. Absent where nothing should be kept. */
  readonly words?: readonly (readonly string[])[];
}

/** 20 short conversations in which something known changes in few words, written before any rule was read. */
export function readPlainDialogues(): readonly CaptureDialogue[] {
  return readLabelledLines("plain-dialogues.jsonl") as readonly CaptureDialogue[];
}

/** 60 pairs of memories, of which 30 contradict each other and 15 only look like it, written at the same time. */
export function readPlainPairs(): readonly MemoryPair[] {
  return readLabelledLines("plain-pairs.jsonl") as readonly MemoryPair[];
}

/** 100 sentences to keep and 50 to leave, written at the same time. */
export function readPlainSentences(): readonly PlainSentence[] {
  return readLabelledLines("plain-sentences.jsonl") as readonly PlainSentence[];
}

/** Whether what capture made of a sentence is what an assistant should keep of it: all of its words, or nothing. */
export function isKeptRight(sentence: PlainSentence, candidates: readonly CaptureCandidate[]): boolean {
  const kept = candidates.filter(({ decision }) => decision === "ADD");
  if (!sentence.keep) return kept.length === 0;
  return kept.some(({ text, value }) => {
    const words = `${text} ${value ?? ""}`.toLowerCase();
    return (sentence.words ?? []).every((group) => group.some((word) => words.includes(word.replace(/\*$/u, ""))));
  });
}
