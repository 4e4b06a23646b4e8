import type { Steps } from "../../recall/steps.ts";
import { lengthOfIban } from "./checked-numbers.ts";
import { keyPatterns, privateKeyPatterns, tokenPatterns } from "./credential-patterns.ts";
import { detectedClasses, type DetectedClass, type DetectionPattern } from "./detection-pattern.ts";
import { foldedText, type FoldedText, squeezedText } from "./folded-text.ts";
import { connectionPatterns, passwordPatterns } from "./password-patterns.ts";
import { contactPatterns, numberPatterns } from "./personal-patterns.ts";

/** Secret or personal data in a text, as offsets in its UTF-16 units. `end` is exclusive. */
export interface Detection {
  readonly class: DetectedClass;
  readonly start: number;
  readonly end: number;
}

/** Everything that is looked for. What comes first names a place that several find. */
export const detectionPatterns: readonly DetectionPattern[] = [
  ...privateKeyPatterns,
  ...connectionPatterns,
  ...tokenPatterns,
  ...keyPatterns,
  ...numberPatterns,
  ...passwordPatterns,
  ...contactPatterns,
];

const rank: ReadonlyMap<DetectedClass, number> = new Map(
  [...new Set([...detectionPatterns.map((pattern) => pattern.class), ...detectedClasses])].map((each, index) => [
    each,
    index,
  ]),
);

/**
 * The secrets and personal data of a text, by their places, none inside another. Looks at the text as {@link foldedText} makes it,
 * and once more without white space and hyphens. Comments in the text change nothing. Linear in the length.
 */
export function detect(text: string): readonly Detection[] {
  if (text === "") return [];
  const forms = textForms(text);
  return withoutOverlaps(detectionPatterns.flatMap((pattern) => foundBy(pattern, forms)));
}

/** The same in steps of some milliseconds, for texts of any length. */
export function* detectionSteps(text: string): Steps<readonly Detection[]> {
  const forms = textForms(text);
  const found: Detection[] = [];
  for (const pattern of detectionPatterns) {
    yield;
    found.push(...foundBy(pattern, forms));
  }
  return withoutOverlaps(found);
}

/** A text in the two forms in which it is searched. */
export interface TextForms {
  readonly folded: SearchedForm;
  readonly squeezed: SearchedForm;
}

/** A form of a text, and what tells at a glance that most patterns find nothing in it. */
interface SearchedForm {
  readonly form: FoldedText;
  readonly digits: number;
  /** Whether anything stands in it that a pattern needs, digits aside. */
  readonly holdsNeeded: boolean;
}

export function textForms(text: string): TextForms {
  const folded = foldedText(text);
  const digits = digitsIn(folded.text);
  return { folded: searchedForm(folded, digits), squeezed: searchedForm(squeezedText(folded), digits) };
}

/** To look for all of them together takes a quarter of the time of one after the other. */
const needed = new RegExp(
  detectionPatterns
    .flatMap(({ needs }) => ("digits" in needs ? [] : needs))
    .map((text) => text.replaceAll(/[^\w ]/g, "\\$&"))
    .join("|"),
);

function searchedForm(form: FoldedText, digits: number): SearchedForm {
  return { form, digits, holdsNeeded: needed.test(form.lower) };
}

function digitsIn(text: string): number {
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) digits++;
  }
  return digits;
}

/** What one pattern finds. */
export function foundBy(pattern: DetectionPattern, { folded, squeezed }: TextForms): readonly Detection[] {
  const inFolded = matchesOf(pattern, folded);
  const inSqueezed = pattern.isSqueezed ? matchesOf(pattern, squeezed) : none;
  if (inFolded.length === 0 && inSqueezed.length === 0) return nothing;
  const pulledApart = inSqueezed.map(([start, end]) =>
    placeOf(pattern, squeezed.form, start, cutAtWord(pattern, squeezed.form, start, end)),
  );
  return [
    ...inFolded.map(([start, end]) => placeOf(pattern, folded.form, start, end)),
    ...(pattern.class === "card" ? outsideIdentifiers(pulledApart, folded.form) : pulledApart),
  ];
}

const uuid = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/gi;

/** Digits of a UUID may by chance be those of a card once its hyphens are gone: `89dc281a-608c-4055-8544-95058db63f7b`. */
function outsideIdentifiers(found: readonly Detection[], { text, starts, ends }: FoldedText): readonly Detection[] {
  if (found.length === 0) return found;
  const identifiers = [...text.matchAll(uuid)].map((match): readonly [number, number] => [
    starts[match.index] as number,
    ends[match.index + match[0].length - 1] as number,
  ]);
  return found.filter(({ start, end }) => !identifiers.some(([from, to]) => from <= start && end <= to));
}

const nothing: readonly Detection[] = [];
const none: readonly (readonly [number, number])[] = [];

function matchesOf(pattern: DetectionPattern, searched: SearchedForm): readonly (readonly [number, number])[] {
  const { text } = searched.form;
  if (!mayStandIn(searched, pattern) || text.search(pattern.find) < 0) return none;
  const found: (readonly [number, number])[] = [];
  for (const match of text.matchAll(pattern.find)) {
    const [start, end] = match.indices?.groups?.["value"] ?? [match.index, match.index + match[0].length];
    const bare = pattern.class === "password" ? start + withoutPunctuation(text.slice(start, end)).length : end;
    const value = text.slice(start, bare);
    if (pattern.accepts?.(value) === false) continue;
    const length = pattern.class === "iban" ? lengthOfIban(value) : value.length;
    found.push([start, start + length]);
  }
  return found;
}

function mayStandIn({ form, digits, holdsNeeded }: SearchedForm, { needs }: DetectionPattern): boolean {
  if ("digits" in needs) return digits >= needs.digits;
  return holdsNeeded && needs.some((text) => form.lower.includes(text));
}

function placeOf(pattern: DetectionPattern, { starts, ends }: FoldedText, start: number, end: number): Detection {
  return { class: pattern.class, start: starts[start] as number, end: ends[end - 1] as number };
}

/**
 * Where what was pulled apart ends: behind the shortest piece, or before a word. In a text without spaces what follows would
 * belong to it.
 */
function cutAtWord(pattern: DetectionPattern, { text, starts, ends }: FoldedText, start: number, end: number): number {
  if (pattern.least === undefined) return end;
  const at = pattern.class === "connection_string" ? text.indexOf("@", start) + 4 : start;
  for (let index = Math.max(start + 1, at, start + pattern.least - 8); index < end; index++) {
    const isGap = (starts[index] as number) > (ends[index - 1] as number);
    if (isGap && /^(?:[a-z']{3,20}|I)(?![A-Za-z0-9_])/.test(pieceAt(text, starts, ends, index))) return index;
  }
  return end;
}

/** What stands together in the original from a place on. At most 24 units. */
function pieceAt(text: string, starts: Uint32Array, ends: Uint32Array, from: number): string {
  let to = from + 1;
  while (to < text.length && to < from + 24 && (starts[to] as number) <= (ends[to - 1] as number)) to++;
  return text.slice(from, to);
}

/** Without the signs that end a clause behind a value. `!` and `?` may belong to a password. */
function withoutPunctuation(value: string): string {
  let end = value.length;
  while (end > 0 && ",;.:)'\"".includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

/** Of places that overlap the first class is kept, over all that they cover. */
function withoutOverlaps(detections: readonly Detection[]): readonly Detection[] {
  const kept: Detection[] = [];
  const ordered = detections.toSorted((left, right) => left.start - right.start || right.end - left.end);
  for (const each of ordered) {
    const before = kept.at(-1);
    if (before === undefined || each.start >= before.end) kept.push(each);
    else {
      const first = (rank.get(each.class) ?? 0) < (rank.get(before.class) ?? 0) ? each.class : before.class;
      kept[kept.length - 1] = { class: first, start: before.start, end: Math.max(before.end, each.end) };
    }
  }
  return kept;
}
