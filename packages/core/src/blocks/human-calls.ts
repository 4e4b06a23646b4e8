import { type BlockField, type BlockValue, blockValue, type BlockValues, type Instant, LociError } from "@loci/domain";
import { blockEntry } from "./block-value.ts";
import { diffBlockValues } from "./diff-values.ts";
import { limitedEntries } from "./limited-entries.ts";
import { humanFields, type SessionState } from "./human-fields.ts";
import { normalBlockValues } from "./check-block-values.ts";
import { shownTime } from "./shown-time.ts";

/** What a program says about its user, without knowing the block's form. */
export type HumanCall =
  /** Another task than the current one archives that first. `context` becomes a note. */
  | { readonly call: "setTask"; readonly text: string; readonly context?: string | undefined }
  /** No task any more. With `archive`, it goes into archival memory with its notes. */
  | { readonly call: "clearTask"; readonly archive: boolean }
  | { readonly call: "learnPreference" | "learnFact" | "addContext"; readonly text: string }
  | { readonly call: "setState"; readonly state: SessionState };

/** What left a human block, to be written as a memory in the same commit. */
export interface ArchivedText {
  readonly category: "preference" | "fact" | "note";
  readonly text: string;
}

export interface HumanCallOutcome {
  readonly values: BlockValues;
  /** False: nothing is to be written. */
  readonly changed: boolean;
  readonly archived: readonly ArchivedText[];
}

const listOfCall = { learnPreference: "preferences", learnFact: "facts", addContext: "contextNotes" } as const;
const categories = { preferences: "preference", facts: "fact", contextNotes: "note" } as const;

/**
 * A human block after a call of its program.
 *
 * @param values in normal form
 * @throws LociError `INVALID_TEXT` for a text that is only white space, `INVALID_BLOCK` for one that is none
 */
export function applyHumanCall(values: BlockValues, call: HumanCall, now: Instant): HumanCallOutcome {
  const draft = new HumanDraft(values);
  if (call.call === "setTask") setTask(draft, call, now);
  else if (call.call === "clearTask") clearTask(draft, call.archive, now);
  else if (call.call === "setState") draft.set("sessionState", call.state);
  else draft.add(listOfCall[call.call], entryOf(call.text, "text"));
  const schema = { name: "human", fields: humanFields };
  const after = normalBlockValues(schema, draft.values());
  return { values: after, changed: diffBlockValues(schema, values, after).length > 0, archived: draft.archived };
}

function setTask(draft: HumanDraft, call: Extract<HumanCall, { call: "setTask" }>, now: Instant): void {
  const task = entryOf(call.text, "text");
  const context = call.context === undefined ? undefined : entryOf(call.context, "context");
  if (draft.get("currentTask") !== task) draft.archiveTask(now);
  draft.set("currentTask", task);
  draft.set("sessionState", "active_task");
  if (context !== undefined) draft.add("contextNotes", context);
}

function clearTask(draft: HumanDraft, archive: boolean, now: Instant): void {
  if (archive) draft.archiveTask(now);
  draft.set("currentTask", "");
  draft.set("sessionState", "idle");
}

/** The values of a human block on their way to the next version. */
class HumanDraft {
  readonly archived: ArchivedText[] = [];
  readonly #values: Map<string, BlockValue>;

  constructor(values: BlockValues) {
    this.#values = new Map(Object.entries(values));
  }

  values(): BlockValues {
    return Object.fromEntries(this.#values);
  }

  get(name: string): BlockValue | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: BlockValue): void {
    this.#values.set(name, value);
  }

  /** A further entry, unless it is there. The oldest over the list's limit are archived. */
  add(name: keyof typeof categories, entry: string): void {
    const entries = this.#entries(name);
    if (entries.includes(entry)) return;
    const left: { field: string; entry: string }[] = [];
    const field = humanFields.find((known) => known.name === name) as BlockField;
    this.#values.set(name, limitedEntries(field, [...entries, entry], left));
    for (const { entry: text } of left) this.archived.push({ category: categories[name], text });
  }

  /** The task with its notes, which leave the block. Without a task nothing happens. */
  archiveTask(now: Instant): void {
    const task = blockValue(this.values(), "currentTask");
    if (task === undefined || task === "") return;
    const notes = this.#entries("contextNotes");
    const lines = [`[TASK COMPLETED ${shownTime(now)}]`, `Task: ${String(task)}`];
    if (notes.length > 0) lines.push("Context:", ...notes.map((note) => `- ${note}`));
    this.archived.push({ category: "note", text: lines.join("\n") });
    this.#values.delete("contextNotes");
  }

  #entries(name: string): readonly string[] {
    return (this.#values.get(name) ?? []) as readonly string[];
  }
}

function entryOf(text: string, field: string): string {
  const entry = blockEntry(text, field);
  if (entry !== "") return entry;
  throw new LociError("INVALID_TEXT", {
    message: `${field} is empty or only white space.`,
    field,
    advice: "Pass a text that says something.",
  });
}
