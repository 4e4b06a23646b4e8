import {
  apostrophe,
  asciiClasses,
  classOfCodePoint,
  connector,
  separator,
  unspacedCharacter,
  wordCharacter,
} from "./character-class.ts";
import { foldText } from "./fold-text.ts";
import { maxTermLength, wholeTerm, type WordTerms } from "./word-terms.ts";

/**
 * Calls `visit` for every term of a text, in order, repetitions included.
 *
 * One pass without look-behind: every character is read a fixed number of times, whatever the text.
 *
 * @param isEnough asked before each word: true ends the reading
 */
export function scanTerms(
  original: string,
  words: WordTerms,
  visit: (term: string) => void,
  isEnough?: () => boolean,
): void {
  const text = foldText(original);
  let position = 0;
  let start = 0;
  let end = -1;
  while (position < text.length) {
    if (isEnough?.() === true) return;
    const found = classAt(text, position);
    if (found === wordCharacter) {
      const isBehind = position === end + 1 && text.charCodeAt(end) === space;
      const label = isBehind ? numberedLabel(text, start, end, position, words) : undefined;
      start = position;
      end = scanIdentifier(text, position, words, visit);
      if (label !== undefined && !goesOn(text, end)) visitWhole(`${label}-${text.slice(start, end)}`, visit);
      position = behindContraction(text, end);
    } else if (found === unspacedCharacter) position = scanUnspaced(text, position, visit);
    else position += unitsAt(text, position);
  }
}

/** The word that a number directly behind it is of: `Room 101`. None for a stop word, and for an identifier. */
function numberedLabel(text: string, start: number, end: number, number: number, words: WordTerms): string | undefined {
  if (!isDigit(text.charCodeAt(number)) || isDigit(text.charCodeAt(start))) return undefined;
  const isWord = endOfClass(text, start, wordCharacter) === end && words.at(text, start, end).length > 0;
  return isWord ? text.slice(start, end) : undefined;
}

/** Whether a number has more digits behind a comma. */
function goesOn(text: string, end: number): boolean {
  return text.charCodeAt(end) === comma && isDigit(text.charCodeAt(end + 1));
}

/** Reads words with single connectors between them, and returns where it stopped: not behind what an apostrophe shortens. */
function scanIdentifier(text: string, start: number, words: WordTerms, visit: (term: string) => void): number {
  let position = start;
  let count = 0;
  let hasSegments = false;
  for (;;) {
    const end = endOfClass(text, position, wordCharacter);
    const next = classAt(text, end);
    const isNegation = next === apostrophe && count === 0 && contractionAt(text, end) === "t";
    if (!isNegation) for (const term of words.at(text, position, end)) visit(term);
    count++;
    position = end;
    if (next !== connector || classAt(text, end + 1) !== wordCharacter) break;
    hasSegments ||= isSlash(text.charCodeAt(end));
    position = end + 1;
  }
  if (count > 1) visitWhole(text.slice(start, position), visit);
  if (hasSegments) visitSegments(text, start, position, visit);
  return position;
}

function behindContraction(text: string, position: number): number {
  const contraction = classAt(text, position) === apostrophe ? contractionAt(text, position) : undefined;
  return contraction === undefined ? position : position + 1 + contraction.length;
}

/** What a word is shortened to behind an apostrophe: `user's` is `user`, `don't` says nothing, `o'clock` is two words. */
function contractionAt(text: string, position: number): string | undefined {
  const end = endOfClass(text, position + 1, wordCharacter, position + 4);
  const suffix = text.slice(position + 1, end).toLowerCase();
  return contractedWords.has(suffix) ? suffix : undefined;
}

const contractedWords: ReadonlySet<string> = new Set(["s", "t", "d", "m", "ll", "re", "ve"]);

/** The whole of an identifier is found only as it is written, apart from case. */
function visitWhole(identifier: string, visit: (term: string) => void): void {
  if (identifier.length <= maxTermLength) visit(wholeTerm(identifier));
}

/** The parts of a path that are identifiers themselves, such as its file name. */
function visitSegments(text: string, start: number, end: number, visit: (term: string) => void): void {
  let segmentStart = start;
  let joined = false;
  for (let position = start; position <= end; position++) {
    const unit = position < end ? text.charCodeAt(position) : slash;
    if (!isSlash(unit)) joined ||= unit < 128 && asciiClasses[unit] === connector;
    else {
      if (joined) visitWhole(text.slice(segmentStart, position), visit);
      segmentStart = position + 1;
      joined = false;
    }
  }
}

/** Every two neighbouring characters are a term; a character that stands alone is one too. */
function scanUnspaced(text: string, start: number, visit: (term: string) => void): number {
  let position = start + unitsAt(text, start);
  if (classAt(text, position) !== unspacedCharacter) {
    visit(text.slice(start, position));
    return position;
  }
  let previous = start;
  while (classAt(text, position) === unspacedCharacter) {
    const end = position + unitsAt(text, position);
    visit(text.slice(previous, end));
    previous = position;
    position = end;
  }
  return position;
}

function endOfClass(text: string, start: number, wanted: number, limit: number = text.length): number {
  let position = start;
  while (position < limit) {
    const unit = text.charCodeAt(position);
    if (unit >= 128 ? classAt(text, position) !== wanted : asciiClasses[unit] !== wanted) break;
    position += unit >= 0xd800 ? unitsAt(text, position) : 1;
  }
  return position;
}

/** Behind the end of the text there is a separator. */
function classAt(text: string, position: number): number {
  if (position >= text.length) return separator;
  const unit = text.charCodeAt(position);
  return unit < 128 ? (asciiClasses[unit] as number) : classOfCodePoint(text.codePointAt(position) as number);
}

function unitsAt(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit < 0xd800 || unit > 0xdbff ? 1 : (text.codePointAt(position) as number) > 0xffff ? 2 : 1;
}

const space = 0x20;
const comma = 0x2c;
const slash = 0x2f;

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isSlash(unit: number): boolean {
  return unit === slash || unit === 0x5c;
}
