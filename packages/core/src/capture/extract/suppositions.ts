import { isPastTense } from "../../text/past-tense.ts";
import type { Word } from "./words.ts";

/** Pasts that are no condition of what was, and those that `isPastTense` does not name. */
const pasts: ReadonlySet<string> = new Set("were was had did got took could put".split(" "));

/** `If the weather forced us`: what stands between `if` and its verb, in words. */
const longestSubject = 4;

/** `If I asked for a recipe, I'd like it metric` is a wish politely said. */
const wishing: ReadonlySet<string> = new Set("like love prefer rather appreciate".split(" "));

/** Who asks for something supposes nothing: `if I missed it, would you please tell me`. */
const asked: ReadonlySet<string> = new Set("you".split(" "));

/**
 * Up to where words tell what would be if something were so, which it is not: `if I took it I'd want more`. What follows `but` may be
 * so again. An offset in their text; 0: they suppose nothing.
 */
export function endOfSupposition(words: readonly Word[]): number {
  const joint = words.findIndex(({ text }, index) => text === "but" && index > 0);
  if (!supposes(joint < 0 ? words : words.slice(0, joint))) return 0;
  return words[joint]?.start ?? Number.POSITIVE_INFINITY;
}

function supposes(words: readonly Word[]): boolean {
  const start = words.findIndex(({ text }) => text === "if");
  if (start < 0) return false;
  const behind = words.slice(start + 1);
  const verb = behind.findIndex(({ text }, index) => index > 0 && (pasts.has(text) || isPastTense(text)));
  if (verb < 1 || verb > longestSubject) return false;
  return words.some(({ text }, index) => {
    if (text !== "would" || index === start + 1 + verb) return false;
    const [before, next] = [words[index - 1]?.text ?? "", words[index + 1]?.text ?? ""];
    return !wishing.has(next) && !asked.has(before) && !asked.has(next);
  });
}
