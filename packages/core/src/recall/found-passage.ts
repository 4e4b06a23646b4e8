import type { TextAnalyser } from "../text/text-analyser.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { unitEnds } from "./text-units.ts";

/** What a passage is looked for by. */
export interface PassageQuestion {
  /** The question's terms, each once. */
  readonly terms: readonly string[];
  /** How rare each of them is, in their order. */
  readonly weights: ArrayLike<number>;
  /** The one that made the terms. */
  readonly analyser: TextAnalyser;
}

/** Stands where something was left out. */
const mark = "...";

/**
 * The part of a text that a question is about, in at most `maxTokens`, with `...` where something was left out before or
 * behind it: the sentences that hold the most of the question's terms, rare ones counting more, and what stands around them.
 * Without any of the terms, the text's beginning. Empty when nothing fits.
 *
 * Takes time linear in the text's length.
 *
 * @param tokens of the whole text, more than `maxTokens`
 */
export function foundPassage(
  text: string,
  tokens: number,
  maxTokens: number,
  counter: TokenCounter,
  question: PassageQuestion | undefined,
): string {
  const units = unitsOf(text, question);
  let room = Math.floor((text.length * maxTokens) / tokens);
  let place = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const window = widened(units, tightened(units, bestWindow(units, room, question)), room);
    const passage = passageOf(text, units[window.from]?.start ?? 0, units[window.to - 1]?.end ?? 0);
    const used = counter.count(passage);
    if (used <= maxTokens) return passage;
    place = units[window.from]?.start ?? 0;
    if (window.to - window.from === 1) break;
    room = Math.floor(room * Math.min(0.9, (0.95 * maxTokens) / used));
  }
  return beginningAt(text, place, maxTokens, counter);
}

const attempts = 6;

/** A sentence, and which of the question's terms stand in it. */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly found: readonly number[];
}

/** Units `from` to `to`, the latter not in it. */
interface UnitWindow {
  readonly from: number;
  readonly to: number;
}

function unitsOf(text: string, question: PassageQuestion | undefined): readonly Unit[] {
  const places = new Map(question?.terms.map((term, index) => [term, index]));
  let start = 0;
  return unitEnds(text).map((end) => {
    const found: number[] = [];
    if (question !== undefined && places.size > 0)
      for (const term of question.analyser.terms(text.slice(start, end))) {
        const place = places.get(term);
        if (place !== undefined) found.push(place);
      }
    const unit = { start, end, found };
    start = end;
    return unit;
  });
}

/** The first of the windows of at most `room` UTF-16 units that hold the most. */
function bestWindow(units: readonly Unit[], room: number, question: PassageQuestion | undefined): UnitWindow {
  const counts = new Map<number, number>();
  let value = 0;
  let best: UnitWindow & { readonly value: number } = { from: 0, to: 1, value: -1 };
  let from = 0;
  for (const [index, { end, found }] of units.entries()) {
    for (const term of found) {
      const count = counts.get(term) ?? 0;
      value += weightOf(question, term, count);
      counts.set(term, count + 1);
    }
    while (from < index && end - (units[from] as Unit).start > room) {
      for (const term of (units[from] as Unit).found) {
        const count = (counts.get(term) as number) - 1;
        value -= weightOf(question, term, count);
        counts.set(term, count);
      }
      from++;
    }
    // What adding and taking away leaves in the last bits is no reason to go on.
    if (value > best.value + 1e-9) best = { from, to: index + 1, value };
  }
  return best;
}

/** What a term's next unit adds: half of what the one before it did. */
function weightOf(question: PassageQuestion | undefined, term: number, count: number): number {
  return Math.max(question?.weights[term] ?? 0, 1e-6) / 2 ** Math.min(count, 30);
}

/** Without what holds none of the terms at either end; its first unit when none does. */
function tightened(units: readonly Unit[], { from, to }: UnitWindow): UnitWindow {
  const holds = (unit: Unit): boolean => unit.found.length > 0;
  const window = units.slice(from, to);
  const first = window.findIndex(holds);
  if (first < 0) return { from, to: from + 1 };
  return { from: from + first, to: from + window.findLastIndex(holds) + 1 };
}

/** With the units around it, two behind for one before, as far as there is room. */
function widened(units: readonly Unit[], tight: UnitWindow, room: number): UnitWindow {
  let { from, to } = tight;
  const lengthOf = (): number => (units[to - 1] as Unit).end - (units[from] as Unit).start;
  const fits = (unit: Unit | undefined): boolean => unit !== undefined && lengthOf() + (unit.end - unit.start) <= room;
  for (let step = 0; ; step++) {
    const before = fits(units[from - 1]);
    const behind = fits(units[to]);
    if (!before && !behind) return { from, to };
    if (behind && (!before || step % 3 !== 0)) to++;
    else from--;
  }
}

function passageOf(text: string, start: number, end: number): string {
  return withMarks(text.slice(start, end).trim(), start > 0, end < text.length);
}

function withMarks(passage: string, hasBefore: boolean, hasBehind: boolean): string {
  return `${hasBefore ? `${mark} ` : ""}${passage}${hasBehind ? ` ${mark}` : ""}`;
}

/** As much as fits of what begins somewhere, in the middle of a sentence if need be. */
function beginningAt(text: string, start: number, maxTokens: number, counter: TokenCounter): string {
  const rest = text.slice(start).trimStart();
  const marks = counter.count(withMarks("", start > 0, true));
  const passage = withMarks(counter.fit(rest, Math.max(0, maxTokens - marks)).trimEnd(), start > 0, true);
  // Where hardly anything fits, it is not the marks.
  return counter.count(passage) <= maxTokens && maxTokens > marks ? passage : counter.fit(rest, maxTokens);
}
