import { areForOthers } from "./for-whom.ts";
import { areApart, sharedIn } from "./set-relations.ts";
import type { ThingToldOf } from "./thing-told-of.ts";

/**
 * Whether two texts tell of two things, so that neither takes the place of the other, however much else they have in common: each names
 * what the other does not speak of (`the interview with Anna`, `the interview with Ravi`), they are of two owners or for other people, or one tells when it
 * begins and the other when it ends.
 */
export function tellOfTwoThings(earlier: ThingToldOf, later: ThingToldOf): boolean {
  if (earlier.aspect !== undefined && later.aspect !== undefined && earlier.aspect !== later.aspect) return true;
  if (areForOthers(earlier.forWhom, later.forWhom)) return true;
  if (areOfTwoOwners(earlier, later) || differInDetail(earlier, later)) return true;
  // `50 mg sertraline`, `20 mg of omeprazole`
  if (areApart(earlier.measured, later.measured)) return true;
  // `Carla is my manager`, `Joost is my manager`: who it is may be what is told.
  const isWhoItIs = (earlier.isName || later.isName) && sharedIn(earlier.which, later.which) === 0;
  if (isWhoItIs || speaksOfSlot(earlier, later)) return false;
  return namesUnspoken(earlier, later) && namesUnspoken(later, earlier);
}

/**
 * Whether two texts, each with a value of its own, give it of two things: `I write the newsletter on Fridays`, `I write the minutes on
 * Mondays now`. Without values the things are what is told: `I play the piano`, `I play the cello now`.
 */
export function giveValuesOfTwoThings(earlier: ThingToldOf, later: ThingToldOf): boolean {
  if (earlier.isName || later.isName || speaksOfSlot(earlier, later)) return false;
  const [one, other] = [earlier, later].map(({ which, objects }) => (which.size > 0 ? which : objects));
  return (
    one !== undefined &&
    other !== undefined &&
    namesUnspoken({ ...earlier, which: one }, later) &&
    namesUnspoken({ ...later, which: other }, earlier)
  );
}

/** Whether the later text tells of a certain one of what the earlier one names alone: `the admin API` of `the API`. */
export function isOneOfThem(earlier: ThingToldOf, later: ThingToldOf): boolean {
  if (earlier.head === undefined || earlier.head !== later.head || earlier.which.size !== 1 || later.which.size < 2)
    return false;
  return namesUnspoken(later, earlier) && !speaksOfSlot(earlier, later);
}

function namesUnspoken({ which }: ThingToldOf, other: ThingToldOf): boolean {
  return [...which].some((root) => !isIn(root, other.roots));
}

/** In letters: `stats` are statistics, and `opening night` is when something opens. */
const leastInCommon = 4;

function isIn(root: string, roots: ReadonlySet<string>): boolean {
  if (roots.has(root)) return true;
  const beginning = root.slice(0, leastInCommon);
  return beginning.length === leastInCommon && [...roots].some((each) => each.startsWith(beginning));
}

/** `Opening night` is of an opening date, and the contract of whoever is known to run the café is what they do there. */
function speaksOfSlot({ slot, roots }: ThingToldOf, { which, owner }: ThingToldOf): boolean {
  return [...which].some((root) => isIn(root, slot)) || (owner !== undefined && roots.has(owner));
}

function areOfTwoOwners(earlier: ThingToldOf, later: ThingToldOf): boolean {
  // `Pia's number is 0151`, `Sven's got a new number`
  if (later.isName && earlier.owner !== undefined && earlier.owner !== "own" && later.roots.has(earlier.head ?? ""))
    return namesUnspoken(later, earlier) && !later.roots.has(earlier.owner);
  if (earlier.head === undefined || earlier.head !== later.head) return false;
  const [one, other] = [earlier.owner, later.owner];
  if (one === undefined || other === undefined || one === other) return false;
  return !later.roots.has(one) && !earlier.roots.has(other);
}

/** `A meeting with HR`, `the meeting with legal`; `the flight to Rome`, `I booked a flight to Naples` */
function differInDetail(earlier: ThingToldOf, later: ThingToldOf): boolean {
  return [earlier.head, later.head].some((head) => {
    if (head === undefined) return false;
    const [one, other] = [earlier.details.get(head) ?? none, later.details.get(head) ?? none];
    return areApart(one, other) && sharedIn(one, later.roots) + sharedIn(other, earlier.roots) === 0;
  });
}

const none: ReadonlySet<string> = new Set();
