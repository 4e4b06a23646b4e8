import { joinedTexts, parseRedactedJson, splitTexts, textInParts } from "@loci/agent";
import { LociError, type Turn, type TurnInput } from "@loci/domain";
import type { AgentInputItem, SessionHistoryTransaction } from "@openai/agents-core";
import { putTextsBack, takeTextsOut } from "./raw-texts.ts";

/** One change of a history: so many items go from its end, then these come. */
export interface HistoryRecord {
  /** Tells a change from another one that does the same. */
  readonly id: string;
  readonly removed: number | "all";
  readonly items: readonly AgentInputItem[];
  /** The transaction that the change was made by. */
  readonly operation?: HistoryOperation | undefined;
}

/** A transaction, by the name it has for whoever may repeat it. */
export interface HistoryOperation {
  readonly id: string;
  readonly type: SessionHistoryTransaction["type"];
}

/** What a turn that holds a part of a record is called: `openai-agents 1/3`. */
const partName = /^openai-agents (\d{1,3})\/(\d{1,3})$/;
const mostTurns = 100;

/**
 * A record as turns, which are appended together. They are no turns of anybody, and nothing is learnt of them.
 *
 * @throws LociError `TEXT_TOO_LARGE` for more than 100 turns hold; `INVALID_REQUEST` for items that JSON cannot hold
 */
export function turnsOfRecord({ id, removed, items, operation }: HistoryRecord): readonly TurnInput[] {
  const { frame, texts, places } = takeTextsOut(items, "items");
  const head = JSON.stringify({ id, removed, operation, items: frame, places });
  const whole = joinedTexts([head, ...texts]);
  const parts = textInParts(whole);
  if (parts.length > mostTurns)
    throw new LociError("TEXT_TOO_LARGE", {
      message: `The ${items.length} items have ${whole.length} characters, more than ${mostTurns} turns of a session hold.`,
      field: "items",
      advice: "Add fewer items at a time, and pass large files and images by their address.",
    });
  return parts.map((content, index) => ({
    role: "developer",
    name: `openai-agents ${index + 1}/${parts.length}`,
    content,
    recalled: true,
  }));
}

/** The records that stand in turns, oldest first. Turns of others are passed over. */
export function recordsOfTurns(turns: readonly Turn[]): readonly HistoryRecord[] {
  const records: HistoryRecord[] = [];
  let parts: string[] = [];
  for (const { name, content } of turns) {
    const [, part, of] = partName.exec(name ?? "") ?? [];
    if (part === undefined) continue;
    if (part === "1") parts = [];
    parts.push(content);
    if (part !== of || parts.length !== Number(of)) continue;
    const record = recordOf(parts.join(""));
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Whether nothing before this turn counts any more. */
export function clearsHistory({ name, content }: Turn): boolean {
  return partName.test(name ?? "") && clearing.test(content);
}

const clearing = /^\{"id":"[0-9a-f]{12}","removed":"all"/;

/** Nothing where a text was taken out as a secret so that the rest cannot be read: what else is kept can be used. */
function recordOf(whole: string): HistoryRecord | undefined {
  const [head = "", ...texts] = splitTexts(whole);
  try {
    const { items: frame, places, ...record } = parseRedactedJson(head) as KeptRecord;
    return { ...record, items: putTextsBack({ frame, texts, places }) as readonly AgentInputItem[] };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface KeptRecord extends Omit<HistoryRecord, "items"> {
  readonly items: unknown;
  readonly places: readonly (readonly (string | number)[])[];
}
