import { describe, expect, test } from "vitest";
import { facetsOf, relationOf } from "../../src/capture/index.ts";

const between = (earlier: string, later: string, cosine = 0.5): string =>
  relationOf(facetsOf(earlier), facetsOf(later), { cosine, relatedGate: 0.6 });

describe("how a later text stands to an earlier one", () => {
  test.each([
    ["Reports go out on Mondays.", "Reports go out on Thursdays.", "contradiction"],
    ["The lab opens at 8.", "The lab opens at 10 since the move.", "contradiction"],
    ["The budget is 12,000.", "The budget was cut to 9,000.", "contradiction"],
    ["Works at Norvik.", "I started at Halden in May.", "contradiction"],
    ["Is allergic to pollen.", "I am not allergic to pollen.", "contradiction"],
    ["Has a parrot.", "Our parrot died in spring.", "end"],
    ["Feature flags come from Rollout.", "We don't use feature flags any more.", "end"],
    ["Has a dog called Biscuit.", "It's not the dog, Biscuit died.", "end"],
    ["Plays Candy Quest.", "I deleted the screenshots of Candy Quest.", "unrelated"],
    ["Plays Candy Quest.", "I deleted Candy Quest.", "end"],
    ["Eats no meat.", "I eat meat again.", "contradiction"],
    ["Holds a daily stand-up at 9:30.", "Stand-up is at 10 from today.", "contradiction"],
    ["The database is hosted in Frankfurt.", "Database now sits in Dublin.", "contradiction"],
    ["The pottery course costs 185 euros.", "The course is 210 from this summer.", "contradiction"],
    ["The shop opens at 9.", "The shop opens at 10 from April.", "contradiction"],
    ["Henrik leads the backend.", "Henrik still leads the backend, Farah joins for QA from April.", "refinement"],
    ["The shop opens at 9.", "From Monday to Friday the shop has 10 kinds of bread.", "unrelated"],
    ["Yuki leads the on-call rota.", "Benedikt takes over the on-call rota from Yuki.", "contradiction"],
    ["The play opens on 3 May.", "The opening of the play is postponed to 17 May.", "contradiction"],
    ["The Broad Street Run is in May.", "The Broad Street Run has moved to October.", "contradiction"],
    ["The Broad Street Run is in May.", "The Broad Street Run is in October.", "contradiction"],
    ["The offsite is in October.", "The offsite moved to May.", "contradiction"],
    ["The offsite is in October.", "The offsite may move to a hotel.", "unrelated"],
    ["Lives in Leoben.", "The class moved to May.", "unrelated"],
    ["Lives in Leoben.", "Annenweg 9 in Graz, I moved in December.", "contradiction"],
    ["Lives in Leoben.", "We've moved, end of March, to Graz.", "contradiction"],
    ["The rent is 900.", "The rent is 0.9k.", "same"],
    [
      "Has a student permit until 30 June.",
      "I need a mail to the office, now I have a contract from 1 April as an engineer in the plant by the river, so I want to change from the student permit that ends on 30 June to the red card for skilled workers.",
      "refinement",
    ],
    ["The lab opens at 9:15.", "The lab opens at a quarter past nine.", "same"],
    ["Mila is in class 9a.", "Mila is in class 9b.", "contradiction"],
    ["Her German is at level B1.", "I have B2 in German.", "contradiction"],
    ["The morning class is at 8.", "The evening class is at 7 now.", "unrelated"],
    ["The newsletter comes out monthly.", "The newsletter now comes out every week.", "contradiction"],
    ["The wedding is in September.", "We postponed the wedding to May.", "contradiction"],
    ["The guarantee lasts two years.", "The guarantee was extended to five years.", "contradiction"],
    ["The shop closes at 18:00.", "The shop stays open until 20:00 now.", "contradiction"],
    ["The policy asks for passwords of 12 characters.", "Passwords need 16 characters now.", "contradiction"],
    ["Lives in a flat.", "We moved into a terraced house.", "contradiction"],
    ["Uses an Android phone.", "I switched to an iPhone.", "contradiction"],
    ["Speaks Polish.", "I also speak some Dutch.", "unrelated"],
    ["Lea is vegetarian.", "It is just Lea and me.", "unrelated"],
    [
      "If it isn't fixed by the end of the month the user is switching to SkyNet.",
      "The one at the end can go.",
      "unrelated",
    ],
    ["Noor has a tattoo on her shoulder.", "Noor is away in October, off work since May.", "unrelated"],
    ["The heating is on.", "The heating is off.", "contradiction"],
    ["Room 12 has a sink.", "Room 14 has no sink.", "unrelated"],
    ["Her brother's birthday is 3 June.", "My aunt's birthday is 9 June.", "unrelated"],
    ["Dana owns the gateway.", "Farah owns the billing.", "unrelated"],
    ["Always write reports in English.", "Never name a customer in reports.", "unrelated"],
    ["Never delete rows of a spreadsheet.", "From now on, write dates in a spreadsheet as ISO 8601.", "unrelated"],
    ["Write summaries in the third person, always.", "From now on, write dates as ISO 8601.", "unrelated"],
    ["Meetings always end at 5.", "From now on meetings end at 4.", "contradiction"],
    ["Never water the greenhouse at noon.", "Always use rain water for the tomatoes in the greenhouse.", "unrelated"],
    ["No wolves in bedtime stories, ever.", "Keep bedtime stories under five minutes from now on.", "unrelated"],
    [
      "The movie marathon has a snack budget of $75.",
      "The user shifted the start of the movie from 1 PM to 12:30 PM, since Mason comes at noon.",
      "unrelated",
    ],
    ["The movie marathon starts at 1 PM.", "The movie marathon starts at 2 pm now.", "contradiction"],
    [
      "The response time of the dashboard is 300 ms.",
      "The response time of the dashboard is 250ms now.",
      "contradiction",
    ],
    ["Never water the greenhouse.", "Always water the greenhouse.", "contradiction"],
    [
      "Always keep bedtime stories under five minutes.",
      "From now on keep bedtime stories under ten minutes.",
      "contradiction",
    ],
    ["Unit tests must never use the network.", "Always test one behaviour in each unit test.", "unrelated"],
    ["Always sign letters with the full name.", "Never sign letters with the full name.", "contradiction"],
    ["Pilates moved to Thursdays at 6pm.", "I moved too, the new flat is at Birch Lane 22.", "unrelated"],
    ["Lives in Oslo.", "I moved to Bergen.", "contradiction"],
    ["The user lives in Porto.", "My sister moved to Vienna.", "unrelated"],
    ["The user works at Siemens.", "Oh and my wife works at Bosch now.", "unrelated"],
    ["The user's brother lives in Chile.", "I live in Bremen now.", "unrelated"],
    ["The user's dad's birthday is 3 May.", "My birthday is now 4 June.", "unrelated"],
    ["The user's sister lives in Porto.", "My sister moved to Vienna.", "contradiction"],
    ["The user's sister lives in Porto.", "She moved to Vienna.", "contradiction"],
    ["The user lives in Porto.", "My wife and I moved to Vienna.", "contradiction"],
    ["The user's boss is Anna.", "I have a new boss, Birgit.", "contradiction"],
    ["The company allows no visitors in office hours.", "It works now with 4.3.1.", "unrelated"],
    ["Needs the VPN for work.", "Use my work email instead of the private one.", "unrelated"],
    ["Use the work email instead of the private one.", "Run the backup at 1am instead of 2am.", "unrelated"],
    ["Has a meeting at 3pm.", "My new laptop is a Framework 13.", "unrelated"],
    ["Has lessons twice a week.", "Has lessons twice a week, on Mondays at seven, with Mrs Lind.", "refinement"],
    ["Has lessons twice a week.", "Lessons on Mondays and Thursdays at seven.", "unrelated"],
    ["Jogs twice a week.", "I jog once a week since my operation.", "contradiction"],
    ["The lab is on the third floor.", "The lab moved to the fifth floor.", "contradiction"],
    ["The lab opens at 9:30.", "The lab opens at a quarter to ten now.", "contradiction"],
    ["The lab opens at 9:45.", "The lab opens at a quarter to ten.", "same"],
    ["Writes notes in Obsidian.", "I keep my notes in Bear, Obsidian ate two of them.", "contradiction"],
    ["Writes notes in Obsidian.", "Obsidian was on the news, my notes are a mess.", "unrelated"],
    ["Pim runs the depot.", "Sanne runs the depot, Pim broke his leg.", "contradiction"],
    ["Pim runs the depot.", "The depot needs paint, Pim asked for blue.", "refinement"],
    ["The archive lives in Basel.", "The archive is in Lugano since the flood.", "contradiction"],
    ["Staging runs in us-east.", "Staging is in us-west since May.", "contradiction"],
    ["Prefers phone calls.", "Text me, don't call.", "contradiction"],
    ["Prefers phone calls.", "Text me or call.", "unrelated"],
    ["The archive lives in Basel.", "The bakery is in Lugano since the flood.", "unrelated"],
    ["The gateway returns XML.", "As of v3 the gateway speaks JSON only.", "contradiction"],
    ["Stretches in the morning.", "I stretch in the evening.", "contradiction"],
    ["The morning shift starts at the depot.", "The evening shift starts at the depot.", "unrelated"],
    ["Finds audio books dull.", "I've come round to audio books, they fill the drive.", "contradiction"],
    ["Finds audio books dull.", "I had audio books at school.", "unrelated"],
    ["Mows at ten in the dry month.", "Mow at eight in the dry month, ten was too hot.", "contradiction"],
    ["Takes ramipril for her heart.", "The doctor put me on candesartan, ramipril made me cough.", "contradiction"],
    ["The pool fee is fair.", "The pool fee went up, and the water is cold.", "contradiction"],
    ["The pool fee is fair.", "The pool fee went to the club, and the water is cold.", "unrelated"],
    ["Drives a Fabia.", "The Fabia was written off.", "end"],
    ["Sits on a bean bag.", "The bean bag is at the dump.", "end"],
    ["The sofa bed is grey.", "Traffic at the dump was bad.", "unrelated"],
    ["Malik is captain.", "Teo took the armband over from Malik.", "contradiction"],
  ])("%j, then %j: %s", (earlier, later, expected) => expect(between(earlier, later)).toBe(expected));

  test("nothing in common is unrelated, whatever the words for change", () => {
    expect(between("Drinks tea.", "We moved the server since May.", 0.1)).toBe("unrelated");
  });
});

test.each([
  ["The budget is $75 or 80 euros", { money: ["75", "80"] }],
  ["The film starts at 12:30, or 3 pm", { time: ["12.5", "15"] }],
  ["It takes 250ms, 20 minutes, 3 weeks", { duration: ["250", "20", "3"] }],
  ["40% of it weighs 3 kg", { share: ["40"], size: ["3"] }],
  ["On March 22, the 24th", { date: ["22", "24"] }],
  ["Eight cards and 12 more", { plain: ["8", "12"] }],
  ["Twice a day, or 3 times", { times: ["2", "3"] }],
  ["Once the tide is out", {}],
  ["At 8 on Mondays, at 14 knots", { time: ["8"], plain: ["14"] }],
])("%j measures", (text, expected) => {
  const found = [...facetsOf(text).quantities].map(([quantity, values]) => [quantity, [...values]]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test.each([
  ["I run in the morning", true],
  ["I run every other evening since May", true],
  ["The morning class is full", false],
])("%j names a part of the day: %s", (text, isNamed) => {
  expect(facetsOf(text).values.has("partOfDay")).toBe(isNamed);
});

test("amounts are numbers however they are written", () => {
  for (const text of ["1,550 in all", "1550 in all"]) expect([...facetsOf(text).numbers]).toEqual(["1550"]);
  for (const text of ["at six pm", "at 18:00"]) expect([...facetsOf(text).numbers]).toEqual(["18"]);
  expect([...facetsOf("84 thousand").numbers]).toEqual(["84000"]);
});

test("who tells of a change and names no day says not again on which it is", () => {
  expect(between("My swimming is on Tuesdays.", "I do my swimming before work now.", 0.95)).not.toBe("same");
});

test("who was somewhere says nothing that is known of who has never been there", () => {
  expect(between("Has never been to Japan.", "I was in Japan last spring.", 0.95)).not.toBe("same");
});

test("of two texts that are unlike a word in common says nothing of a change", () => {
  const [known, said] = ["Gaskets come from Calloway.", "It is the spring gasket, sells like mad since March."];
  expect([0, 0.5].map((cosine) => between(known, said, cosine))).toEqual(["unrelated", "contradiction"]);
});
