import { readLabelledLines } from "../quality/labelled-data.ts";
import type { CaptureDialogue, MemoryPair } from "./capture-data.ts";

/** 24 conversations in the form and manner of the labelled ones, written before any rule was read. */
export function readShortDialogues(): readonly CaptureDialogue[] {
  return readLabelledLines("short-dialogues.jsonl") as readonly CaptureDialogue[];
}

/** 40 pairs of memories in the form of the labelled ones, written at the same time. */
export function readShortPairs(): readonly MemoryPair[] {
  return readLabelledLines("short-pairs.jsonl") as readonly MemoryPair[];
}

/** Those with an odd number were in view when rules were mended, the others never. */
export function hasOddNumber(id: string): boolean {
  return Number(id.split("-").at(-1)) % 2 === 1;
}
