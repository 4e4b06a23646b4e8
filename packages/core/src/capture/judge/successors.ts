import type { CaptureCandidate } from "@loci/domain";
import { carriesWords } from "./carried-words.ts";
import { replacing } from "./replacing-candidate.ts";
import { endingsOf } from "./endings.ts";
import { facetsOf } from "./facets.ts";
import type { KnownMemory } from "./read-memory.ts";
import { giveOtherValues } from "./differing-values.ts";

/**
 * What is over in one sentence and has a successor in the next of the same turn is not deleted, but replaced: `Dr Holm retired. The
 * young one is Dr Lind.` So is what has it just before, in the same sentence: `Zephyr is final, FreeRTOS is gone`.
 */
export function withSuccessors(
  candidates: readonly CaptureCandidate[],
  memories: readonly KnownMemory[],
): readonly CaptureCandidate[] {
  const changed = [...candidates];
  for (const [index, ended] of candidates.entries()) {
    const known = isEnding(ended) ? memories.find(({ id }) => id === ended.target) : undefined;
    if (known === undefined) continue;
    const place = [index + 1, index - 1].find((each) => {
      const other = changed[each];
      if (other?.decision !== "ADD" || other.evidence[0]?.turn !== ended.evidence[0]?.turn) return false;
      // What ends nothing before it is approved has no successor of another scope yet.
      if (other.scope !== known.scope && ended.state === "quarantined") return false;
      return each > index ? follows(other, known) : precedes(other, ended, known);
    });
    const successor = changed[place ?? -1];
    if (place === undefined || successor === undefined) continue;
    changed[index] = { ...ended, decision: "NOOP" };
    const { scope, slot } = known;
    // It waits where what it ends does, and for no more than that.
    const state = successor.reason === null ? ended.state : successor.state;
    const replaces = { decision: "UPDATE", target: known.id, scope, state, slot: slot ?? successor.slot } as const;
    const said = `${successor.text} ${ended.text}`;
    const replaced =
      ended.decision === "DELETE"
        ? replacing({ ...successor, ...replaces }, known.text, { said, isRelative: false })
        : replacing({ ...successor, ...replaces }, ended.text, { said: successor.text, isRelative: true });
    changed[place] = replaced ?? successor;
  }
  return changed;
}

/** It says that something is over, and not what there is instead; also where that is a part of what the memory tells. */
function isEnding({ decision, text, evidence }: CaptureCandidate): boolean {
  if (decision !== "UPDATE") return decision === "DELETE";
  return carriesWords(text) && endingsOf(evidence[0]?.quote ?? "").some(({ hasSuccessor }) => !hasSuccessor);
}

/** Both name somebody or something, and not the same; or the later one tells of a change in what the earlier one is about. */
function follows({ text, evidence }: CaptureCandidate, known: KnownMemory): boolean {
  const [later, earlier] = [facetsOf(text), facetsOf(known.text)];
  const named = namedIn(evidence[0]?.quote ?? "");
  const namesOther = earlier.names.size > 0 && named.some((name) => !earlier.names.has(name));
  if (later.tellsChange && giveOtherValues(earlier, later)) return true;
  return namesOther || (later.tellsChange && [...later.topics].some((topic) => earlier.topics.has(topic)));
}

/** In UTF-16 units: `, `. */
const longestJoint = 2;
/** In topics. */
const mostBesideName = 2;

/** Of the same sentence, and about hardly more than a name that is another one than the memory's. */
function precedes(successor: CaptureCandidate, ended: CaptureCandidate, known: KnownMemory): boolean {
  const [said, over] = [successor.evidence[0], ended.evidence[0]];
  if (said === undefined || over === undefined) return false;
  if (over.start - said.end > longestJoint || /[.!?]$/.test(said.quote)) return false;
  const { topics, namedTopics, tellsOfSpeaker } = facetsOf(said.quote);
  const earlier = facetsOf(known.text);
  // `We format with Ruff` is of the formatter that is over, and `I am in Rome` of nothing that is.
  const isOfIt = [...topics].some((topic) => earlier.topics.has(topic) && !earlier.namedTopics.has(topic));
  return (
    (!tellsOfSpeaker || isOfIt) &&
    earlier.surelyNamedTopics.size > 0 &&
    namedIn(said.quote).some((name) => !earlier.names.has(name)) &&
    topics.size - namedTopics.size <= mostBesideName
  );
}

/** Names as they were said: the first word of `Nursery 310` and of `kettlebell at home` is none. */
function namedIn(said: string): readonly string[] {
  const { names, doer, surelyNamedTopics } = facetsOf(said);
  return surelyNamedTopics.size > 0 ? [...names] : [...names].filter((name) => name === doer);
}
