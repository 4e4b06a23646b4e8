import type { Facets } from "./facets.ts";
import { sharedIn } from "./set-relations.ts";
import { topicsOf } from "./topics.ts";
import { isOfOthers } from "./who-is-told-of.ts";

/**
 * One is of somebody the speaker has, the other of the speaker: `my sister moved to Vienna` is no other value of `I live in Porto`.
 * Where a name is in both, they may be one person, unless it is what the user does.
 */
export function areOfOthers(earlier: Facets, later: Facets): boolean {
  if (earlier.person === later.person) return false;
  if (earlier.doer !== "user" && sharedIn(earlier.names, later.names) > 0) return false;
  return later.person === undefined
    ? later.isOwn && !speaksOf(later, earlier.person ?? "")
    : earlier.isOwn && !speaksOf(earlier, later.person);
}

/** `Has a cat called Miso` is of a cat. */
function speaksOf({ subjects, topics }: Facets, person: string): boolean {
  return subjects.has(person) || topics.has(person.slice(0, 6));
}

/**
 * One is what the user does, the other what somebody does who is named: `Paul eats fish again` changes nothing of what I eat. Or both are
 * named, and have no more than a word in common: `Paolo wants a raise`, `Marini raised prices`.
 */
export function areByOthers(earlier: Facets, later: Facets): boolean {
  const [doer, other] = [earlier.doer, later.doer];
  // `The stand-up is at 10`, of a stand-up that the user holds.
  if (other !== undefined && speaksOfThing(earlier, other)) return false;
  // `The marketing folks dropped Snowflake` is nothing that our team did.
  if (doer === undefined && other !== undefined && isOfOthers(other) && !later.isOwn) return true;
  if (doer === undefined || other === undefined || doer === other) return false;
  if (doer !== "user" && other !== "user")
    // `Joost is my manager now`: who was it until now is over.
    return sharedIn(earlier.topics, later.topics) < 2 && sharedIn(earlier.subjects, later.subjects) === 0;
  return (doer === "user" && !later.tellsOfSpeaker) || (other === "user" && !earlier.isOwn);
}

/** Whether a text is about something that it does not call by a name. */
function speaksOfThing({ topics, namedTopics }: Facets, word: string): boolean {
  return [...topicsOf(word)].some((topic) => topics.has(topic) && !namedTopics.has(topic));
}

/** `Anna's office moved` says nothing of Anna: all that is in common is whose it is. */
export function isOfAnotherOfTheirs(earlier: Facets, later: Facets): boolean {
  return (
    later.possessed.size > 0 &&
    sharedIn(later.possessed, earlier.topics) === 0 &&
    [...later.topics].every((topic) => !earlier.topics.has(topic) || later.namedTopics.has(topic))
  );
}

/** `I deleted the screenshots of the game` says nothing of the game. */
export function isOfAnotherPart(earlier: Facets, { endedPart }: Facets): boolean {
  return endedPart.size > 0 && sharedIn(endedPart, earlier.topics) === 0;
}
