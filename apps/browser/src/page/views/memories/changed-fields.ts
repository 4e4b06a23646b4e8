import { type Memory, MemoryState } from "@loci/api-web";
import { millisecondsOf, shownTime } from "../../text/times.ts";
import { wordOf } from "../../text/words.ts";

/** A field besides the text that a version changed. */
export interface ChangedField {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const none = "none";
const number = (value: number | undefined): string => (value === undefined ? none : String(value));
const flag = (value: boolean | undefined): string => (value === true ? "yes" : "no");
const time = (value: Memory["validTo"]): string => (value === undefined ? none : shownTime(millisecondsOf(value)));

const fields: Readonly<Record<string, (memory: Memory) => string>> = {
  category: ({ category }) => category ?? none,
  state: ({ state }) => wordOf(MemoryState, state),
  importance: ({ importance }) => number(importance),
  confidence: ({ confidence }) => number(confidence),
  tags: ({ tags }) => (tags.length === 0 ? none : tags.join(", ")),
  slot: ({ slot }) => slot ?? none,
  pinned: ({ isPinned }) => flag(isPinned),
  "never fades": ({ isStatic }) => flag(isStatic),
  said: ({ createTime }) => time(createTime),
  "true from": ({ validFrom }) => time(validFrom),
  "true until": ({ validTo }) => time(validTo),
  expires: ({ expireTime }) => time(expireTime),
  "replaced by": ({ supersededBy }) => supersededBy ?? none,
  "approved by": ({ approvedBy }) => approvedBy ?? none,
};

/** Which fields two versions differ in, besides the text. */
export function changedFields(before: Memory, after: Memory): readonly ChangedField[] {
  return Object.entries(fields)
    .map(([name, shown]) => ({ name, before: shown(before), after: shown(after) }))
    .filter(({ before, after }) => before !== after);
}
