import { clausesOf } from "../extract/sentences.ts";
import { leadingWords } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import type { ReadMemory } from "./read-memory.ts";
import { isSubset } from "./set-relations.ts";
import { topicsOf } from "./topics.ts";
import { isOfThePast } from "./what-died.ts";

const solving: ReadonlySet<string> = new Set("solved resolved fixed sorted settled repaired".split(" "));
const beings: ReadonlySet<string> = new Set("is are was were got been".split(" "));
const adverbs: ReadonlySet<string> = new Set("now finally all both already just since completely fully".split(" "));
const solvers: ReadonlySet<string> = new Set("i we he she they you have has had".split(" "));
/** What is only thought of, or to come, solves nothing. */
const unreal: ReadonlySet<string> = new Set(
  "if once when until till unless after before not never no hardly nearly almost should must will can could would to be".split(
    " ",
  ),
);
/** Nouns for what is solved, which say nothing of what it is about. */
const troubleNouns = "problem problems issue issues bug bugs error errors outage incident trouble thing one";
/** Words of what does not work. */
export const troubles: ReadonlySet<string> = new Set(
  `${troubleNouns} fail fails failed failing failure failures break breaks broke broken crash crashes crashed crashing leak leaks leaking hang hangs
  freezes freezing stuck flaky slow timeout timeouts down unreachable loses corrupt corrupts dispute complaint`.split(
    /\s+/u,
  ),
);
const ofTroubleOnly: ReadonlySet<string> = topicsOf(troubleNouns);

/** In words: `the problem with the webhooks since Monday`, `the login bug that Ines found`. */
const widest = 9;

/**
 * What a clause says is solved: the topics before `is solved`, `got fixed`, and behind `we fixed`. Empty: nothing, or nothing that it
 * names.
 */
function solvedIn(words: readonly Word[]): ReadonlySet<string> {
  const at = words.findIndex(({ text }) => solving.has(text));
  if (at < 0 || words.slice(Math.max(0, at - widest), at).some(({ text }) => unreal.has(text))) return none;
  const before = words.slice(0, at).findLastIndex(({ text }) => !adverbs.has(text));
  const last = words[before]?.text ?? "";
  const isPassive = beings.has(last);
  const isActive = !isPassive && (before < 0 || solvers.has(last) || leadingWords.has(last));
  if (!isPassive && !isActive) return none;
  const named = isPassive ? words.slice(Math.max(0, before - widest), before) : words.slice(at + 1, at + 1 + widest);
  return new Set([...topicsOf(named.map(({ raw }) => raw).join(" "))].filter((topic) => !ofTroubleOnly.has(topic)));
}

const none: ReadonlySet<string> = new Set();

/**
 * The memories that tell of a trouble that a statement says is solved: `The webhook problem is solved` ends `our webhook deliveries
 * fail since the upgrade`, and not where the webhooks go to. Linear in the statement's length, for each memory in the memory's.
 */
export function toldOfWhatWasSolved(said: string, memories: Iterable<ReadMemory>): readonly ReadMemory[] {
  if (!wordsOf(said).some(({ text }) => solving.has(text))) return [];
  const solved = clausesOf(said)
    .map(({ text }) => solvedIn(wordsOf(text)))
    .filter((topics) => topics.size > 0);
  if (solved.length === 0) return [];
  return [...memories].filter(
    (known) =>
      !isOfThePast(known) &&
      wordsOf(known.memory.text).some(({ text }) => troubles.has(text)) &&
      solved.some((topics) => isSubset(topics, known.facets.topics)),
  );
}
