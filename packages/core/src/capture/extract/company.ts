import type { CapturedTurn } from "@loci/domain";
import { wordsOf } from "./words.ts";

/** Whom a user speaks for who says `we`. */
export type Company = "team" | "family";

const ofHomes: ReadonlySet<string> = new Set(
  `family kid kids child children baby son daughter husband wife fiance fiancee girlfriend boyfriend wedding honeymoon married pregnant
  mum mom dad mother father parents grandma grandpa grandmother grandfather sister brother aunt uncle dog cat puppy kitten pet pets vet
  kibble kindergarten nursery daycare preschool creche household home house apartment flat kitchen bedroom bathroom garden backyard balcony rent mortgage landlord
  neighbour neighbor neighbours neighbors dinner breakfast birthday christmas holiday holidays vacation babysitter nanny toddler
  trip flight flights hotel hotels beach zoo museum dogs cats hens wifi broadband boiler sofa dishwasher fridge hob pram stairs loft attic cellar
  youngest eldest grandchildren grandson granddaughter in-laws cousin cousins wedding supper groceries twins triplets adopted
  greyhound labrador terrier poodle retriever beagle hamster goldfish upstairs downstairs`.split(/\s+/u),
);
const ofWork: ReadonlySet<string> = new Set(
  `team teams repo repository code codebase deploy deploys deployment deployments release releases sprint standup backlog roadmap ticket
  tickets client clients customer customers company office colleague colleagues boss manager project projects service services server
  servers database cluster api production staging branch commit commits build builds test tests pipeline vendor vendors supplier suppliers
  invoice invoices quarter meeting meetings department staff employees hire hired hiring warehouse shop store orders shipment shift shifts
  band gig gigs rehearse rehearsal rehearsals bandmates
  kpi kpis okr okrs q1 q2 q3 q4 vp ceo cto cfo agenda agendas onboarding revenue churn rollout launch frontend backend investor investors startup
  cofounder stakeholder patients ward students class lab cafe café bakery restaurant website homepage banner engineering marketing sales finance legal stakeholders deadline milestone`.split(
    /\s+/u,
  ),
);

/** Longest part of a turn that is looked at, in UTF-16 units. */
const lookedAt = 2_000;

/** Who speaks of their father once does not live with him, and who speaks of one invoice may pay it at home. */
const fewestRemembered = 2;

/**
 * Whom somebody speaks for by what is remembered of them. `undefined`: that does not tell. Linear in its length.
 *
 * @param memories texts of memories
 */
export function companyRemembered(memories: readonly string[]): Company | undefined {
  const { home, work } = wordsIn(memories);
  if (Math.max(home, work) < fewestRemembered) return undefined;
  return home >= work ? "family" : "team";
}

/**
 * Whom the user of a session speaks for, by what they speak of: of home as much as of work, and `we` are the family. Linear in the turns.
 *
 * @param known whom the user is known to speak for: counts where the session hardly tells
 */
export function companyOf(turns: readonly Pick<CapturedTurn, "role" | "content">[], known?: Company): Company {
  const { home, work } = wordsIn(turns.flatMap(({ role, content }) => (role === "user" ? content : [])));
  if (known !== undefined && Math.abs(home - work) <= hardlyTold) return known;
  return home > 0 && home >= work ? "family" : "team";
}

/** So many words more of the one than of the other may be by the way: `my sister packs on Mondays`. */
const hardlyTold = 1;

/** How many words of home and of work texts have. */
function wordsIn(texts: readonly string[]): { readonly home: number; readonly work: number } {
  let home = 0;
  let work = 0;
  for (const text of texts) {
    const words = wordsOf(text.slice(0, lookedAt).replace(named, ""));
    for (const [place, { text: word }] of words.entries()) {
      if (ofHomes.has(word) || (word === "live" && words[place - 1]?.text === "we")) home++;
      else if (ofWork.has(word)) work++;
    }
  }
  return { home, work };
}

/** What a memory calls them was found out in this way, and tells nothing more. */
const named = /(?<!\p{L})the (?:team|family)(?!\p{L})/giu;
