import { readLabelledLines } from "../quality/labelled-data.ts";
import type { CaptureDialogue, MemoryPair } from "./capture-data.ts";

/** 20 short conversations in each of which something known changes once or twice, written before any rule was read. */
export function readChangedDialogues(): readonly CaptureDialogue[] {
  return readLabelledLines("changed-dialogues.jsonl") as readonly CaptureDialogue[];
}

/** 60 pairs of memories, of which 32 contradict each other, written at the same time. */
export function readChangedPairs(): readonly MemoryPair[] {
  return readLabelledLines("changed-pairs.jsonl") as readonly MemoryPair[];
}
