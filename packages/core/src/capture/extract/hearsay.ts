import type { Word } from "./words.ts";

/** What others think is no news. */
const believing: ReadonlySet<string> = new Set(
  "think thinks believe believes assume assumes reckon reckons suspect suspects".split(" "),
);
const believed: ReadonlySet<string> = new Set(
  "thought believed assumed reckoned suspected rumour rumours rumor rumors gossip story stories".split(" "),
);
/** What is only reported is news, unless it is said to be untrue. */
const reporting: ReadonlySet<string> = new Set(
  "say says said saying tell tells told claim claims claimed write writes wrote post posts posted heard hear read".split(
    " ",
  ),
);
const falsehoods: ReadonlySet<string> = new Set(
  "untrue false nonsense rubbish wrong mistaken rumour rumor lie lies joking kidding joke".split(" "),
);

const everybody: ReadonlySet<string> = new Set("everyone everybody people".split(" "));

/** Whether words tell what somebody else believes or spreads: `half the parents think`, `is telling everyone`, but not `I think`. */
export function tellsBelief(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => {
    const speaker = words[index - 1]?.text;
    const isSpread = text === "telling" && everybody.has(words[index + 1]?.text ?? "") && speaker !== "am";
    return isSpread || believed.has(text) || (believing.has(text) && speaker !== "i" && speaker !== "we");
  });
}

/** Whether words tell what somebody else says. */
export function tellsReport(words: readonly Word[]): boolean {
  return words.some(({ text }) => reporting.has(text));
}

/** Whether words say that something is not so: `not true`, `a false rumour`. */
export function callsUntrue(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => falsehoods.has(text) || (text === "true" && words[index - 1]?.text === "not"));
}
