import { endsWith } from "./endings.ts";
import { givesUp } from "./given-up.ts";
import type { HeardStatement } from "./heard-statement.ts";
import type { Nearness } from "./is-about.ts";
import { isAllOf } from "./left-untold.ts";
import type { ReadMemory } from "./read-memory.ts";
import { sharedIn } from "./set-relations.ts";
import { mentions } from "./spoken-of.ts";
import type { Verdict } from "./verdict.ts";

/** What is over by one clause of a statement, where the whole of it is about more. */
export function endedBy(
  { endings, before, asked }: HeardStatement,
  { memory, facets, slotTopics }: ReadMemory,
  { cosine, isMeant, isUsed }: Nearness,
): Verdict | undefined {
  // `No more ibuprofen for me` names all that is known, and says that it is over.
  const isSpokenOf = isMeant || (asked !== undefined && mentions(asked, facets));
  const ending = endings.find((each) =>
    // `Insurance for the Vespa?`, `traded it for a bike`
    endsWith(each, facets, { slotTopics, isSpokenOf: isSpokenOf || (isUsed && each.pointsBack), before }),
  );
  if (ending === undefined) return undefined;
  return {
    decision: ending.hasSuccessor || !isAllOf({ memory, facets }, ending.over) ? "UPDATE" : "DELETE",
    target: memory.id,
    strength: cosine + ending.topics.size,
    meantBy:
      isSpokenOf && sharedIn(ending.topics, facets.topics) + sharedIn(ending.topics, slotTopics) === 0
        ? "talk"
        : "words",
  };
}

/** What a statement names as given up for another value. */
export function replacedBy(
  { givenUp, spokenOf }: HeardStatement,
  { memory, facets, slotTopics, value }: ReadMemory,
  { cosine, relatedGate }: Nearness,
): Verdict | undefined {
  const hints = { cosine, relatedGate, slotTopics, spokenOf, known: value };
  const found = givenUp.find((each) => givesUp(each, facets, hints));
  if (found === undefined) return undefined;
  return { decision: "UPDATE", target: memory.id, strength: cosine + sharedIn(facets.topics, spokenOf.topics) + 2 };
}
