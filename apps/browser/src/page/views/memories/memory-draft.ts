import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Memory, MemorySchema } from "@loci/api-web";
import { localTime, timeOfField } from "../../text/local-times.ts";

/** What of a memory can be changed here, as the fields of a form have it. */
export interface MemoryDraft {
  readonly text: string;
  readonly category: string;
  readonly importance: string;
  readonly slot: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly isPinned: boolean;
}

export function draftOf(memory: Memory): MemoryDraft {
  const { text, category = "fact", importance = 0, slot = "", validFrom, validTo, isPinned = false } = memory;
  return {
    text,
    category,
    importance: String(importance),
    slot,
    validFrom: localTime(validFrom),
    validTo: localTime(validTo),
    isPinned,
  };
}

const said: {
  readonly [Name in keyof MemoryDraft]: readonly [
    path: string,
    field: (draft: MemoryDraft) => MessageInitShape<typeof MemorySchema>,
  ];
} = {
  text: ["text", ({ text }) => ({ text })],
  category: ["category", ({ category }) => ({ category })],
  importance: ["importance", ({ importance }) => ({ importance: Number(importance) })],
  slot: ["slot", ({ slot }) => (slot === "" ? {} : { slot })],
  validFrom: ["valid_from", ({ validFrom }) => ({ validFrom: timeOfField(validFrom) })],
  validTo: ["valid_to", ({ validTo }) => ({ validTo: timeOfField(validTo) })],
  isPinned: ["is_pinned", ({ isPinned }) => ({ isPinned })],
};

/** What a change says: the fields that differ and no others, so that what somebody else changed beside them stays. */
export function changeOf(
  before: MemoryDraft,
  draft: MemoryDraft,
): { readonly paths: string[]; readonly memory: MessageInitShape<typeof MemorySchema> } {
  const changed = (Object.keys(said) as (keyof MemoryDraft)[]).filter((name) => before[name] !== draft[name]);
  return {
    paths: changed.map((name) => said[name][0]),
    memory: Object.assign({}, ...changed.map((name) => said[name][1](draft))) as MessageInitShape<typeof MemorySchema>,
  };
}
