import { stopWords } from "../../text/stop-words.ts";
import { wordGroups } from "../extract/word-groups.ts";
import type { Word } from "../extract/words.ts";
import { isNumberedAt } from "./said-numbers.ts";
import { silent } from "./topics.ts";
import { meaningOf } from "./value-families.ts";
import { owners } from "./who-is-told-of.ts";

/** Whom or which of several words are about: `sister`, `room 204`, `account number`. */
export function subjectsOf(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text }, index) => {
    const next = words[index + 1]?.text ?? "";
    if (isNumberedAt(words, index)) return [`${text} ${next}`];
    if (keyed.has(text)) return keyAt(words, index);
    return wordGroups["relation"]?.has(text) === true && meaningOf(text) === undefined && text !== "team" ? [text] : [];
  });
}

const keyed: ReadonlySet<string> = new Set("number code id pin password".split(" "));
const renewed: ReadonlySet<string> = new Set("new old current former same other own correct".split(" "));
const ofPhones: ReadonlySet<string> = new Set("phone telephone mobile cell work home".split(" "));

/** `account number`, `gate code`: what is another one is no other value. `My number` is that of a telephone. */
function keyAt(words: readonly Word[], index: number): readonly string[] {
  const head = words[index]?.text ?? "";
  const behind = index - 1 - (renewed.has(words[index - 1]?.text ?? "") ? 1 : 0);
  const kind = words[behind]?.text ?? "";
  const isNumber = head === "number" && words[index + 1]?.text !== "of";
  if (isNumber && (ofPhones.has(kind) || owners.has(kind) || kind === "'s" || kind.endsWith("'s")))
    return ["phone number"];
  return kind === "" || stopWords.has(kind) || silent.has(kind) || isFinite(Number(kind)) ? [] : [`${kind} ${head}`];
}
