import { wordGroups } from "../extract/word-groups.ts";

/** Verbs, in the past, and words of a state that say by themselves that something is over or is no longer there. */
export const endingWords: ReadonlySet<string> = new Set([
  ...(wordGroups["ending"] ?? []),
  ...`dead buried axed ditched nixed binned trashed tossed chucked junked kicked donated rehomed auctioned pawned stolen totalled totaled vacated evicted
  withdrawn revoked rescinded annulled aborted abolished discontinued terminated deprecated decommissioned dismantled demolished disbanded
  dissolved expired lapsed abandoned surrendered relinquished forfeited shelved unsubscribed deregistered deactivated
  finished completed graduated`.split(/\s+/),
]);

/** Verbs that say so together with the word that follows them: `gave up`, `threw out`. */
export const endingPhrases: readonly (readonly [string, string])[] =
  `any more, any longer, no longer, broke up, broken up, broke off,
  broken off, ran out, run out, ran away, run away, last day, gave up, given up, gave back, given back, gave away, given away, stepped down, stepped aside,
  stepped back, passed away, called off, called quits, split up, parted ways, parted with, burned down, burnt down, torn down, tore down, pulled down,
  went bust, gone bust, moved out, phased out, thrown out, threw out, thrown away, threw away, written off, wrote off, sent back, handed back,
  migrated off, moved off, done away, did away, rid of, finished with, came off, come off, walked out, dropped out, pulled out,
  backed out, opted out, bowed out, grew out, grown out, cut out, ripped out, kicked out, torn out, taken down, took down, closed down, shut down,
  sworn off, swore off, weaned off, let lapse`
    .split(",")
    .map((phrase) => phrase.trim().split(" ") as [string, string]);
