import type { CapturedTurn } from "@loci/domain";
import { wordsOf } from "./words.ts";

/** Whom a user speaks for who says `we`. */
export type Company = "team" | "family";

const ofHomes: ReadonlySet<string> = new Set(
  `family kid kids child children baby son daughter husband wife fiance fiancee girlfriend boyfriend wedding honeymoon married pregnant
  mum mom dad mother father parents grandma grandpa grandmother grandfather sister brother aunt uncle dog cat puppy kitten pet pets vet
  kibble kindergarten nursery household home house apartment flat kitchen bedroom bathroom garden backyard balcony rent mortgage landlord
  neighbour neighbor neighbours neighbors dinner breakfast birthday christmas holiday holidays vacation babysitter nanny toddler
  trip flight flights hotel hotels beach zoo museum dogs cats hens wifi broadband boiler sofa dishwasher fridge hob pram stairs loft attic cellar
  grandchildren grandson granddaughter in-laws cousin cousins wedding supper groceries twins triplets adopted
  greyhound labrador terrier poodle retriever beagle hamster goldfish upstairs downstairs`.split(/\s+/u),
);
const ofWork: ReadonlySet<string> = new Set(
  `team teams repo repository code codebase deploy deploys deployment deployments release releases sprint standup backlog roadmap ticket
  tickets client clients customer customers company office colleague colleagues boss manager project projects service services server
  servers database cluster api production staging branch commit commits build builds test tests pipeline vendor vendors supplier suppliers
  invoice invoices quarter meeting meetings department staff employees hire hired hiring warehouse shop store orders shipment shift shifts
  band gig gigs rehearse rehearsal rehearsals bandmates
  patients ward students class lab cafe café bakery restaurant website homepage banner engineering marketing sales finance legal stakeholders deadline milestone`.split(
    /\s+/u,
  ),
);

/** Longest part of a turn that is looked at, in UTF-16 units. */
const lookedAt = 2_000;

/** By what the user speaks of: of home as much as of work, and `we` are the family. Linear in the turns. */
export function companyOf(turns: readonly Pick<CapturedTurn, "role" | "content">[]): Company {
  let home = 0;
  let work = 0;
  for (const { role, content } of turns) {
    if (role !== "user") continue;
    const words = wordsOf(content.slice(0, lookedAt));
    for (const [place, { text }] of words.entries()) {
      if (ofHomes.has(text) || (text === "live" && words[place - 1]?.text === "we")) home++;
      else if (ofWork.has(text)) work++;
    }
  }
  return home > 0 && home >= work ? "family" : "team";
}
