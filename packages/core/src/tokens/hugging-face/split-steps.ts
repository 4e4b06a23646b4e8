import { isPlainObject } from "@loci/domain";
import { tokenizerFileInvalid } from "./tokenizer-file-error.ts";
import { translatePattern } from "./translate-pattern.ts";

/** How a byte-level tokenizer cuts a text before it merges bytes. */
export interface SplitSteps {
  /** In JavaScript's syntax, applied one after the other. None matches the empty text. */
  readonly patterns: readonly string[];
  /** True when a text that does not begin with a space gets one. */
  readonly addsPrefixSpace: boolean;
}

// GPT-2's, which the byte-level step applies unless it says otherwise.
const byteLevelPattern = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
const everything = String.raw`[^]+`;

/**
 * Reads the `pre_tokenizer` of a `tokenizer.json`: patterns and digits, then the byte level.
 *
 * @throws LociError `MODEL_FILE_INVALID` for any other step
 */
export function readSplitSteps(id: string, preTokenizer: unknown): SplitSteps {
  const steps = stepsOf(id, preTokenizer);
  const patterns: string[] = [];
  for (const [index, step] of steps.entries()) {
    const field = `pre_tokenizer[${index}]`;
    const isLast = index === steps.length - 1;
    if (isLast !== (step["type"] === "ByteLevel"))
      throw tokenizerFileInvalid(id, field, "is not followed by, or is not, the byte level, which must come last");
    if (step["type"] === "Split") patterns.push(readSplit(id, step, field));
    else if (step["type"] === "Digits") patterns.push(step["individual_digits"] === true ? "\\p{N}" : "\\p{N}+");
    else if (step["type"] !== "ByteLevel")
      throw tokenizerFileInvalid(id, field, `is of the type ${JSON.stringify(step["type"])}, which is not supported`);
    else if (step["use_regex"] !== false) patterns.push(translate(id, byteLevelPattern, field));
  }
  const addsPrefixSpace = steps.at(-1)?.["add_prefix_space"] === true;
  if (addsPrefixSpace && steps.length > 1)
    throw tokenizerFileInvalid(id, "pre_tokenizer", "adds a space to each piece, which is not supported");
  return { patterns: patterns.length === 0 ? [everything] : patterns, addsPrefixSpace };
}

function stepsOf(id: string, preTokenizer: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!isPlainObject(preTokenizer))
    throw tokenizerFileInvalid(id, "pre_tokenizer", "is missing, so it is not byte-level");
  if (preTokenizer["type"] !== "Sequence") return [preTokenizer];
  const steps: unknown = preTokenizer["pretokenizers"];
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isPlainObject))
    throw tokenizerFileInvalid(id, "pre_tokenizer.pretokenizers", "must be a list of steps");
  return steps;
}

function readSplit(id: string, step: Readonly<Record<string, unknown>>, field: string): string {
  const { pattern, behavior, invert } = step;
  // To remove what does not match comes to the same where the pattern matches everywhere, which all known ones do.
  const isolates = (behavior === "Isolated" && invert !== true) || (behavior === "Removed" && invert === true);
  if (!isolates)
    throw tokenizerFileInvalid(id, `${field}.behavior`, `is ${JSON.stringify(behavior)}, which is not supported`);
  if (isPlainObject(pattern)) {
    if (typeof pattern["Regex"] === "string") return translate(id, pattern["Regex"], field);
    if (typeof pattern["String"] === "string" && pattern["String"] !== "") return escapePattern(pattern["String"]);
  }
  throw tokenizerFileInvalid(id, `${field}.pattern`, "must be a Regex or a String");
}

function translate(id: string, source: string, field: string): string {
  const pattern = translatePattern(source);
  if (pattern === undefined || !isUsable(pattern))
    throw tokenizerFileInvalid(id, `${field}.pattern`, "uses a part of the pattern language that is not supported");
  return pattern;
}

function isUsable(pattern: string): boolean {
  try {
    return !new RegExp(pattern, "u").test("");
  } catch {
    return false;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
