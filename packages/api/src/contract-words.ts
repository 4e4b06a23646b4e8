import type { LociError } from "@loci/domain";

/** What an error says in words: its field, and the texts that may name it. */
export type ErrorWords = Pick<LociError, "message" | "advice" | "field">;

/** What the contract calls otherwise than the interface, besides spelling every name in small letters. */
const otherNames: Readonly<Record<string, string>> = {
  at: "time",
  createdAt: "create_time",
  expectedLast: "expected_last_turn",
  expiresAt: "expire_time",
  first: "first_turn",
  inputs: "memories",
  last: "last_turn",
};

/** What is one field there, and a part of another one here. */
const otherPaths: Readonly<Record<string, string>> = {
  "capture.everyTurns": "capture_every_turns",
  "options.requestId": "request_id",
  "precondition.allowMissing": "allow_missing",
  "precondition.etag": "etag",
  requestId: "request_id",
  since: "cursor",
  "turns.first": "first_turn",
  "turns.last": "last_turn",
};

/** What is below them has names that callers chose. */
const ownNames: ReadonlySet<string> = new Set(["files", "metadata", "sections", "teamFiles", "values"]);

/** Calls that carry JSON, whose names are the same in every language. */
const callsWithJson: ReadonlySet<string> = new Set([
  "/loci.v1.SessionService/SaveTurnState",
  "/loci.v1.SessionService/MergeTurnState",
]);

/**
 * A field of the interface as the contract, and with it every other language, calls it: `turns[0].at` is `turns[0].time` there.
 *
 * @param call the path of the call that it is about
 */
export function contractPath(path: string, call = ""): string {
  const known = Object.hasOwn(otherPaths, path) ? otherPaths[path] : undefined;
  if (known !== undefined) return known;
  if (callsWithJson.has(call)) return path;
  const steps = path.split(".");
  const own = steps.findIndex((step) => ownNames.has(nameOf(step)));
  const ours = own < 0 ? steps : steps.slice(0, own + 1);
  return [...ours.map(contractStep), ...steps.slice(ours.length)].join(".");
}

/**
 * An error in the words of the contract: its field, and its texts where they name that field.
 *
 * `undefined` for one that is the same there, and for one that {@link inInterfaceWords} would not give back as it was.
 *
 * @param call the path of the call that ended with it
 */
export function inContractWords({ message, advice, field }: ErrorWords, call?: string): ErrorWords | undefined {
  if (field === undefined) return undefined;
  const there = contractPath(field, call);
  if (there === field) return undefined;
  const words = { message: renamed(message, field, there), advice: renamed(advice, field, there), field: there };
  const back = inInterfaceWords(words, field);
  return back.message === message && back.advice === advice ? words : undefined;
}

/** An error in the words of the interface again. */
export function inInterfaceWords({ message, advice, field: there }: ErrorWords, field: string): ErrorWords {
  if (there === undefined) return { message, advice, field };
  return { message: renamed(message, there, field), advice: renamed(advice, there, field), field };
}

/** A name of one word, such as `first`, says something else in a text, unless the text begins with it. */
function renamed<Text extends string | undefined>(text: Text, from: string, to: string): Text {
  if (!isOneWord(from) && !isOneWord(to)) return text?.replaceAll(from, () => to) as Text;
  return (text?.startsWith(`${from} `) ? to + text.slice(from.length) : text) as Text;
}

function isOneWord(path: string): boolean {
  return /^[a-z]*$/.test(path);
}

function contractStep(step: string): string {
  const name = nameOf(step);
  const there = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  return (there ?? inSmallLetters(name)) + step.slice(name.length);
}

/** The name without the place in a list. */
function nameOf(step: string): string {
  const place = step.indexOf("[");
  return place < 0 ? step : step.slice(0, place);
}

function inSmallLetters(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
