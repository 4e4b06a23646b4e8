import { describe, expect, test } from "vitest";
import { changesIn } from "../../src/capture/judge/change-verbs.ts";
import { isTakenUpAgain } from "../../src/capture/judge/resumption.ts";
import { withoutWhatCameLater, wordsOfWhatHappened } from "../../src/capture/judge/what-happened.ts";
import { wordsOf } from "../../src/capture/extract/words.ts";
import { capture, memory, turnsOf } from "./captured.ts";

/** Whether what is said closes a memory. */
function closes(known: string, ...lines: readonly string[]): boolean {
  return capture(turnsOf(...lines), [memory("p1", known, null)]).some(
    ({ target, decision }) => target === "p1" && (decision === "UPDATE" || decision === "DELETE"),
  );
}

describe("what did not take place closes nothing", () => {
  test.each<[why: string, known: string, said: string]>([
    ["denied", "Goes swimming on Saturdays.", "I haven't given up swimming."],
    ["denied", "Works at Corvid as a baker.", "I haven't left Corvid yet."],
    ["denied", "The project uses Redis for caching.", "We haven't dropped Redis, that was only a rumour."],
    ["denied", "Goes swimming on Saturdays.", "Swimming on Saturdays isn't cancelled, by the way."],
    ["denied", "Has a cat called Miso.", "Miso isn't dead, she just sleeps a lot."],
    ["denied", "The deadline is 30 June.", "The deadline was not moved to 7 July, whatever Tom says."],
    ["denied", "Lives in Porto.", "I haven't moved to Lisbon after all."],
    ["denied", "Is vegetarian.", "I'm not vegan, just vegetarian."],
    ["denied", "The team deploys with ArgoCD.", "We never got rid of ArgoCD, that line in the wiki is just wrong."],
    ["wanted", "The user needs a backfill for coop.", "Coop wants their data deleted after 24 months."],
    ["supposed", "Goes swimming on Saturdays.", "If I quit swimming I'd have more time."],
    [
      "supposed",
      "The wedding is on 14 September.",
      "If the venue has no roof by August we'd have to shift it to October.",
    ],
    ["nearly so", "Goes swimming on Saturdays.", "I almost quit swimming last year."],
    ["nearly so", "Is married to Tom.", "Tom and I nearly split up last winter; counselling saved us."],
    ["believed", "The user coaches the under-12 team.", "Half the parents think I've quit coaching the under-12 team."],
    ["untrue", "Sells a product called Larkspur.", "A site claims Larkspur was renamed to Delphin. Not true at all."],
    ["of others", "The user works at Corvid as a baker.", "Jonas left Corvid on Friday."],
    ["of others", "Works at Corvid as a baker.", "My colleague quit Corvid last week."],
    ["of others", "Goes swimming on Saturdays.", "My sister quit swimming."],
    ["of others", "Lives in the Rowan Court block.", "The couple upstairs moved out of Rowan Court."],
    ["of others", "The user takes a pottery class.", "Half of the pottery class dropped out after the kiln broke."],
    ["of others", "Has a subscription to The Courier.", "dad cancelled his Courier, so now he steals my copy"],
    ["for now", "The gym is on Fridays.", "The gym is cancelled today."],
    ["for now", "The user runs a cheese shop.", "Shop's closed today only, because of the street party"],
    ["for now", "Runs nightly backups to S3.", "We stopped the backups for one night."],
    ["taken up again", "Has a Netflix account.", "so i dropped netflix, lasted three weeks, re-subscribed yesterday"],
    [
      "taken up again",
      "The user takes piano lessons.",
      "I stopped the piano lessons, then picked them up again in autumn.",
    ],
    ["taken up again", "Works at Pomeroy.", "I left Pomeroy in 2019 and went back to Pomeroy a year later."],
    [
      "taken up again",
      "Takes a German course.",
      "The German course got cancelled, then two signed up and it's running after all.",
    ],
    ["of an earlier one", "Has a cat named Mogwai.", "our previous cat died in 2015, Mogwai came a year later"],
    ["of an earlier one", "The user drives a Yaris.", "Years ago I sold my very first car, a Polo."],
    [
      "of an earlier one",
      "Studies nursing.",
      "I dropped out of economics when I was nineteen, so nursing is my second go.",
    ],
    [
      "of an earlier one",
      "Banks with Harrow.",
      "I closed my Northbank account long before Harrow, do I need the papers?",
    ],
  ])("%s: %s %s", (_, known, said) => {
    expect(closes(known, `user: ${said}`)).toBe(false);
  });
});

describe("what took place does, whatever is denied or supposed besides", () => {
  test.each<[known: string, said: string]>([
    ["Goes swimming on Saturdays.", "I quit swimming."],
    ["Works at Corvid as a baker.", "I quit Corvid, and if they call me I won't answer."],
    ["The gym is on Fridays.", "There is no gym any more."],
    ["Has a cat called Miso.", "My cat died this morning."],
    ["Has a subscription to Gazette.", "I cancelled the Gazette today."],
    ["Has home insurance with Tessel.", "My Tessel policy expired yesterday."],
    ["The project uses Redis for caching.", "We migrated off Redis this weekend."],
    ["Plays in a quartet with Lotte.", "The quartet broke up last night."],
    ["Deploys happen on Thursdays.", "From today on deploys happen on Mondays."],
    ["Is married to Tom.", "Tom and I got divorced in June."],
    ["Drives a Fiesta.", "I traded the Fiesta in for a Niro last week."],
    ["The user is learning Korean.", "swapped korean for japanese, already on day 12"],
    ["Takes 20 mg of omeprazole each morning.", "Doc halved my omeprazole, it's 10 mg a day from today."],
    ["Rents a flat on Quay Road.", "All settled in at Fern Street, handed back the Quay Road keys yesterday"],
    ["Travels with Tomek.", "Tomek has bailed, new job, no holiday."],
    ["Plays in the Thursday choir.", "I don't sing in the Thursday choir any more."],
    ["Has a beehive on the roof.", "I never liked the work, so I gave the beehive away."],
  ])("%s %s", (known, said) => {
    expect(closes(known, `user: ${said}`)).toBe(true);
  });
});

test.each([
  ["I haven't left Corvid yet", ""],
  ["I quit, I never liked it", "i quit i never liked it"],
  ["It isn't sold any more", "it is not sold any more"],
  ["If we left, we would starve", "we would starve"],
  ["I'd left before that", "i had left before that"],
  ["My aunt is telling everyone Tomas and me broke off the engagement", ""],
  ["I am telling everyone that we left", "i am telling everyone that we left"],
  ["We never wrote off the van", ""],
  ["Femi's got the armband till summer", "femi has got the armband till summer"],
  ["We could have sold it", ""],
  ["The pool is shut until May, so no swimming", ""],
  ["The pool is shut for good", "the pool is shut for good"],
  ["Never give an answer without a source", "never give an answer without a source"],
])("of %j there took place %j", (text, happened) => {
  expect(
    wordsOfWhatHappened(text, wordsOf(text))
      .map((word) => word.text)
      .join(" "),
  ).toBe(happened);
});

test.each([
  ["We cancelled it, but signed up again last month.", true],
  ["I stopped the lessons. Picked them up again in autumn.", true],
  ["I quit and I am back since May.", true],
  ["I quit and went back to teaching.", false],
  ["I quit. Never again!", false],
  ["I run again.", false],
])("%s is taken up again: %s", (text, isTaken) => expect(isTakenUpAgain(text)).toBe(isTaken));

test.each([
  ["I quit Harker's long before Lumen, because of the boss", "I quit Harker's long , because of the boss"],
  ["Never merge before the tests are green", "Never merge before the tests are green"],
])("%j is %j without what came later", (said, without) => expect(withoutWhatCameLater(said)).toBe(without));

test("a change is told by its verb, or by what is no longer so", () => {
  expect(changesIn(wordsOf("we moved in and it is no longer ours"))).toEqual([1, 7]);
  expect(changesIn(wordsOf("we like it"))).toEqual([]);
});
