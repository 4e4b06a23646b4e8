import { describe, expect, test } from "vitest";
import type { KnownMemory } from "../../src/capture/index.ts";
import { movedElsewhere } from "../../src/capture/judge/moved-house.ts";
import { ownSubjectOf } from "../../src/capture/judge/own-subject.ts";
import { capture, closed, memory, turnsOf } from "./captured.ts";

describe("what is said of something else closes nothing", () => {
  test.each<[known: KnownMemory, ...lines: string[]]>([
    [memory("who", "Anna runs billing."), "user: Our billing server is in Frankfurt."],
    [memory("who", "Anna runs billing."), "user: We use MySQL 9 for billing."],
    [memory("team", "The user manages a team of 9 in Lisbon and Porto."), "user: reviews got pushed to January 10"],
    [
      memory("svelte", "The user would rather move it to next.js."),
      "user: the university moved my deadline, it's 15 December now",
    ],
    [
      memory("next", "Next appointment is in October, they'll write."),
      "user: I've given up driving at night myself so no evening appointments please.",
    ],
    [
      memory("bus", "The user takes the bus to the allotment on Sundays."),
      "user: I sold the car so I take the bus everywhere",
    ],
    [
      memory("swiss", "For every client in Switzerland it's CHF and 0.16"),
      "user: I raised my rate, 0.15 from April for German clients",
    ],
    [
      memory("terms", "For every client payment is due in 14 days"),
      "user: I've got a new client: Orell & Söhne, due in 30 days",
    ],
    [memory("how", "The user prefers email."), "user: I now call my mum on Sundays"],
    [
      memory("bank", "Her mortgage is with Nordsee Sparbank.", "bank", "Nordsee Sparbank"),
      "assistant: Is the bank still Nordsee Sparbank?",
      "user: Still them.",
      "assistant: Good. How much will be left at the end?",
      "user: roughly 148k. I could pay in 20k extra if I sold the car. But I won't, I need it for the commute to Emden",
    ],
    [
      memory("seat", "Prefers a window seat.", "seat", "window"),
      "assistant: From which airport, and which seat for you? I have window.",
      "user: from Bilbao.",
    ],
    [
      memory("gym", "Pays 890 CZK a month for the gym.", "gym", "890 CZK"),
      "assistant: Anything else in the costs that changed?",
      "user: gym: i was about to cancel but then i didn't, still 890 crowns.",
    ],
    [
      memory("gym", "Pays 890 CZK a month for the gym.", "gym", "890 CZK"),
      "assistant: So: gym 890. Weekly summaries?",
      "user: always on the 1st, amounts in CZK",
    ],
    [
      memory("work", "Works at Corvid.", "employer", "Corvid"),
      "assistant: Where does your wife work?",
      "user: At Lumen, since 2020",
    ],
    [
      memory("standup", "Has standup at 9:30.", "standup", "9:30"),
      "assistant: Standup at 9:30 still?",
      "user: yep. lunch is at 12 now",
    ],
    [memory("guests", "Guests: 40 people.", "guests", "40"), "assistant: 40 guests. How many tables?", "user: 5"],
    [
      memory("news", "Their newsletter goes out on Mondays.", "newsletter day", "Monday"),
      "assistant: Newsletter on Monday?",
      "user: Yes. The podcast comes out on Thursdays now",
    ],
    [
      memory("cleaner", "Has a cleaner on Fridays.", "cleaner", "Friday"),
      "assistant: Cleaner on Friday?",
      "user: yes and the gardener moved to Tuesdays",
    ],
    [memory("flight", "Flight is on 3 May.", "flight", "3 May"), "user: the hotel got moved to 4 May"],
    [memory("rent", "Rent is 900 euros.", "rent", "900 euros"), "user: electricity is now 90 euros instead of 75"],
    [
      memory("flat", "The tenant in flat 3 is Mrs Ode.", "tenant flat 3", "Mrs Ode"),
      "assistant: And flat 5?",
      "user: Flat 5 is empty since Mr Lund moved out",
    ],
    [memory("home", "Lives in Ghent.", "home", "Ghent"), "user: I moved in December of 2019 to a new desk"],
    [memory("home", "Lives in Ghent.", "home", "Ghent"), "user: My office moved to Antwerp last year"],
    [
      memory("home", "Lives in Ghent.", "home", "Ghent"),
      "user: My brother moved to Brussels in 2020 and I visit him monthly",
    ],
  ])("%j %s", (known, ...lines) => expect(closed(known, ...lines)).toEqual([]));
});

describe("and of the same thing replaces it", () => {
  test.each<[known: KnownMemory, ...lines: string[]]>([
    [memory("home", "Lives in Ghent.", "home", "Ghent"), "user: My wife and I moved to Brussels in 2020"],
    [memory("home", "Lives in Ghent.", "home", "Ghent"), "user: we moved to a much bigger flat in Brussels"],
    [
      memory("brother", "Her brother lives in Ghent.", "brother", "Ghent"),
      "user: My brother moved to Brussels in 2020 and I visit him monthly",
    ],
    [
      memory("work", "Works at Corvid.", "employer", "Corvid"),
      "assistant: Where do you work?",
      "user: At Lumen, since 2020",
    ],
    [
      memory("study", "Studies history.", null),
      "user: Transferred from history to archaeology after Christmas, and I love digging already",
    ],
  ])("%j %s", (known, ...lines) => expect(closed(known, ...lines)).toEqual(["UPDATE"]));
});

test("an answer on somebody else says of whom it is", () => {
  const [answer] = capture(turnsOf("assistant: Where does your wife work?", "user: At Lumen, since 2020"));
  expect(answer?.text).toBe("Where does the user's wife work: At Lumen, since 2020");
});

test.each([
  ["I moved to a new desk", true],
  ["I moved in December of 2019 to the other team", true],
  ["the whole department moved to Brussels", true],
  ["I moved to lisbon", false],
  ["we've moved into a small house by the river", false],
  ["we moved to the Netherlands", false],
  ["Priya moved to Leeds", false],
  ["just moved to Leeds", false],
])("%s: elsewhere %j", (text, elsewhere) => expect(movedElsewhere(text)).toBe(elsewhere));

test.each([
  ["lunch is at 12 now", ["lunch"]],
  ["the date is 3 July now", []],
  ["it is at 12 now", []],
  ["neither, it's out", []],
  ["I am at home", []],
  ["the hotel got moved to 4 May", ["hotel"]],
  ["the podcast comes out on Thursdays", ["podcas"]],
  ["the bank agreed so it's 23k now", []],
  ["cause we were on 4.4", []],
])("%s is of %j", (said, subject) => expect([...ownSubjectOf(said)]).toEqual(subject));
