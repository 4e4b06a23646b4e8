import type { CapturedTurn } from "@loci/domain";
import { blank } from "./blank.ts";
import { speaksOfOneself } from "./speaking-of-oneself.ts";

/** `Observation: 4`, `[read_file for 'a.ts'] Result:`, `Result of [run]:`; the number of the call may stand above it. */
const label =
  /^(?:[^\n]{0,80}\n)?\s{0,12}(?:\[[^\]\n]{1,200}\]\s?)?(?:\p{L}{1,20} ){0,2}(?:observations?|outputs?|results?|stdout|stderr|returned|executed|exit code)(?: of \S{1,80})?(?:\s?\([^()\n]{0,60}\))?:/iu;
/** A call of the assistant that stands in its words ends with a block of code, a mark, an object or arguments, */
const callAtEnd = /(?:```|~~~|<\/[\w:-]{1,60}>|\}|\])\s{0,8}$/u;
/** or has a line such as `Action: search`. */
const callByName = /^[ \t]{0,8}(?:action|tool|function|command)(?: \w{1,20}){0,2}:\s?\S/imu;
/** What is alike in what a program writes each time: a prompt, something in brackets, a name in capitals. */
const frame = /^\s{0,12}(?:\[.{1,300}|\(.{1,300}\)|[\w.@:~/-]{0,80}[$#>%]|[A-Z][A-Z _-]{2,60}:.{0,300})\s*$/u;
/** A name with its colon. People write `Context:` over and over, too: it counts behind a call only. */
const namedFrame = /^\s{0,12}\p{L}[\w -]{0,60}:\s*$/u;

/** So much of a turn's end tells whether it calls something, and so much of a line what it is; in UTF-16 units. */
const longestEnd = 2_000;
const longestLine = 320;

/** What is heard of a turn that reports what a tool returned. */
export type TurnFilter = (turn: CapturedTurn, text: string) => string;

/**
 * For the turns with the role of the user in which a program reports what a call of the assistant returned: an object in JSON, what
 * stands behind a label such as `Observation:`, and what begins or ends as another turn does, with a prompt or a name in brackets.
 * Of them is heard what a person may have added: a first or last paragraph in plain words that is not said to `you` alone.
 *
 * @returns a function of a turn and of its text without {@link withoutPastedLines pasted lines}, which gives it as long, with spaces for
 *   the rest
 */
export function withoutToolReports(turns: readonly CapturedTurn[]): TurnFilter {
  const reports = new Set<CapturedTurn>();
  const seen = new Map<string, number>();
  const framesOf = new Map<CapturedTurn, readonly string[]>();
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== "user" || turn.isRecalled === true) continue;
    if (isObject(turn.content) || (calls(turns[index - 1]) && label.test(turn.content.slice(0, longestLine))))
      reports.add(turn);
    const frames = framesIn(turn.content, calls(turns[index - 1]));
    framesOf.set(turn, frames);
    for (const each of frames) seen.set(each, (seen.get(each) ?? 0) + 1);
  }
  for (const [turn, frames] of framesOf) if (frames.some((each) => (seen.get(each) ?? 0) > 1)) reports.add(turn);
  return (turn, text) => (reports.has(turn) ? addedByHand(turn.content, text) : text);
}

function isObject(content: string): boolean {
  const text = content.trim();
  if (!/^[[{]/u.test(text) || !/[\]}]$/u.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function calls(turn: CapturedTurn | undefined): boolean {
  if (turn?.role !== "assistant") return false;
  const end = turn.content.slice(-longestEnd);
  return (turn.tools?.length ?? 0) > 0 || callAtEnd.test(end) || callByName.test(end);
}

/** The first and the last line of a turn of several, if programs begin or end so. */
function framesIn(content: string, isBehindCall: boolean): readonly string[] {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return [];
  const [first = "", last = ""] = [lines[0], lines.at(-1)];
  const isFrame = (line: string): boolean => frame.test(line) || (isBehindCall && namedFrame.test(line));
  return [`^${first}`, `$${last}`].filter((line) => line.length <= longestLine && isFrame(line.slice(1)));
}

const saidToAssistant = /(?<!\p{L})(?:you|your|yours)(?!\p{L})/iu;

/** @param text the same as `content`, with spaces for lines that programs print */
function addedByHand(content: string, text: string): string {
  const paragraphs = paragraphsOf(content);
  return paragraphs
    .map((paragraph, index) => {
      const shown = text.slice(paragraph.start, paragraph.start + paragraph.text.length);
      const isOuter = index === 0 || index === paragraphs.length - 1;
      const isPlain = shown === paragraph.text && !label.test(paragraph.text.slice(0, longestLine));
      const isOwn = speaksOfOneself(shown) || !saidToAssistant.test(shown);
      return isOuter && isPlain && isOwn ? shown : blank(shown);
    })
    .join("");
}

/** What stands between blank lines, each with the lines behind it, so that together they are the text. */
function paragraphsOf(content: string): readonly { readonly text: string; readonly start: number }[] {
  const found: { text: string; start: number }[] = [];
  let start = 0;
  let isBehindBlank = false;
  let place = 0;
  for (const line of content.split(/(?<=\n)/u)) {
    if (line.trim() !== "" && isBehindBlank && content.slice(start, place).trim() !== "") {
      found.push({ text: content.slice(start, place), start });
      start = place;
    }
    isBehindBlank = line.trim() === "";
    place += line.length;
  }
  found.push({ text: content.slice(start), start });
  return found;
}
