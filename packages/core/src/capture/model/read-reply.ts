/** A candidate as a model proposes it. Nothing is true of it yet but its form. */
export interface ProposedCandidate {
  readonly category: "fact" | "preference" | "decision" | "entity" | "procedure";
  readonly text: string;
  readonly slot: string | null;
  readonly value: string | null;
  readonly tags: readonly string[];
  /** Times that the text names, as `2026-03-25`. */
  readonly dates: readonly { readonly text: string; readonly date: string }[];
  readonly evidence: readonly { readonly turn: number; readonly quote: string }[];
}

/** What a model decides about a candidate. */
export interface ProposedDecision {
  /** The place of the candidate among those shown, from 0. */
  readonly candidate: number;
  readonly decision: "ADD" | "UPDATE" | "DELETE" | "NOOP";
  /** The number of a memory that was shown. `null` for `ADD`. */
  readonly target: number | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Limits of a reply. Lengths are in UTF-16 units. */
export const replyLimits = {
  reply: 400_000,
  reasoning: 4_000,
  candidates: 40,
  text: 600,
  slot: 100,
  value: 200,
  tags: 8,
  tag: 64,
  dates: 8,
  evidence: 4,
  quote: 2_000,
} as const;

/** Candidates of a reply, and how many of its entries had not the form asked for. */
export interface ReadCandidates {
  readonly candidates: readonly ProposedCandidate[];
  readonly leftOut: number;
}

/**
 * Reads what a model that was asked for candidates has answered. A candidate has every field and no other, or is left out; so is
 * what comes behind the most that were asked for. One that is wrong says nothing of the others: each is checked by itself.
 *
 * @param reply its JSON, parsed
 * @returns `undefined` for what is no list of candidates, or has entries and none of the form
 */
export function readCandidates(reply: unknown): ReadCandidates | undefined {
  const entries = objectOf(reply, ["candidates"])?.["candidates"];
  if (!Array.isArray(entries)) return undefined;
  const candidates = readEntries(entries, readCandidate);
  if (candidates.length === 0 && entries.length > 0) return undefined;
  return { candidates, leftOut: entries.length - candidates.length };
}

/**
 * Reads what a model that was asked to judge has answered, each decision by itself: one that is not of the form is not made.
 *
 * @param reply its JSON, parsed
 * @returns `undefined` for what is no list of decisions, or has entries and none of the form
 */
export function readDecisions(reply: unknown): readonly ProposedDecision[] | undefined {
  const entries = objectOf(reply, ["decisions"])?.["decisions"];
  if (!Array.isArray(entries)) return undefined;
  const decided = readEntries(entries, readDecision);
  return decided.length === 0 && entries.length > 0 ? undefined : decided;
}

/** As many entries of the form as there may be, from the first on. */
function readEntries<Entry>(
  entries: readonly unknown[],
  read: (entry: unknown) => Entry | undefined,
): readonly Entry[] {
  const found: Entry[] = [];
  for (const each of entries) {
    const entry = found.length < replyLimits.candidates ? read(each) : undefined;
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

const categories: ReadonlySet<unknown> = new Set(["fact", "preference", "decision", "entity", "procedure"]);
const decisions: ReadonlySet<unknown> = new Set(["ADD", "UPDATE", "DELETE", "NOOP"]);
const isoDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

function readCandidate(value: unknown): ProposedCandidate | undefined {
  const fields = objectOf(value, ["reasoning", "category", "text", "slot", "value", "tags", "dates", "evidence"]);
  if (fields === undefined || !isText(fields["reasoning"], replyLimits.reasoning, 0)) return undefined;
  const { category, text, slot, value: filled } = fields;
  const tags = listOf(fields["tags"], replyLimits.tags, (tag) => (isText(tag, replyLimits.tag) ? tag : undefined));
  const dates = listOf(fields["dates"], replyLimits.dates, readDate);
  const evidence = listOf(fields["evidence"], replyLimits.evidence, readEvidence);
  if (!categories.has(category) || !isText(text, replyLimits.text) || tags === undefined || dates === undefined)
    return undefined;
  const slotText = textOrNull(slot, replyLimits.slot);
  const valueText = textOrNull(filled, replyLimits.value);
  if (slotText === undefined || valueText === undefined) return undefined;
  if (evidence === undefined || evidence.length === 0) return undefined;
  return {
    category: category as ProposedCandidate["category"],
    text,
    slot: slotText,
    value: valueText,
    tags,
    dates,
    evidence,
  };
}

function readDate(value: unknown): ProposedCandidate["dates"][number] | undefined {
  const fields = objectOf(value, ["text", "date"]);
  if (fields === undefined || !isText(fields["text"], replyLimits.value)) return undefined;
  const { text, date } = fields;
  return typeof date === "string" && isoDate.test(date) ? { text, date } : undefined;
}

function readEvidence(value: unknown): ProposedCandidate["evidence"][number] | undefined {
  const fields = objectOf(value, ["turn", "quote"]);
  if (fields === undefined || !isText(fields["quote"], replyLimits.quote)) return undefined;
  const { turn, quote } = fields;
  return isCount(turn, 1) ? { turn, quote } : undefined;
}

function readDecision(value: unknown): ProposedDecision | undefined {
  const fields = objectOf(value, ["reasoning", "candidate", "decision", "target", "confidence"]);
  if (fields === undefined || !isText(fields["reasoning"], replyLimits.reasoning, 0)) return undefined;
  const { candidate, decision, target, confidence } = fields;
  if (!isCount(candidate, 0) || !decisions.has(decision) || !(target === null || isCount(target, 0))) return undefined;
  if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1)) return undefined;
  if ((decision === "ADD") !== (target === null)) return undefined;
  return { candidate, decision: decision as ProposedDecision["decision"], target, confidence };
}

/** The fields of an object that has exactly these, the first of them first: a model that reasons after the fact has guessed. */
function objectOf(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const found = Object.keys(value);
  const isExact =
    found.length === names.length && found[0] === names[0] && names.every((name) => Object.hasOwn(value, name));
  return isExact ? (value as Readonly<Record<string, unknown>>) : undefined;
}

/** All entries as `read` gives them; `undefined` when one of them is wrong, or there are too many. */
function listOf<Entry>(
  value: unknown,
  most: number,
  read: (entry: unknown) => Entry | undefined,
): readonly Entry[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const entries: Entry[] = [];
  for (const each of value as readonly unknown[]) {
    const entry = read(each);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return entries;
}

function isText(value: unknown, most: number, least = 1): value is string {
  return typeof value === "string" && value.length <= most && value.trim().length >= least && value.isWellFormed();
}

/** A text, or `null` for none, which models also say with an empty one. `undefined`: neither. */
function textOrNull(value: unknown, most: number): string | null | undefined {
  if (value === null || value === "") return null;
  return isText(value, most) ? value : undefined;
}

function isCount(value: unknown, least: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}
