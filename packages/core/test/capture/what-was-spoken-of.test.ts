import { describe, expect, test } from "vitest";
import type { KnownMemory } from "../../src/capture/index.ts";
import { facetsOf } from "../../src/capture/judge/facets.ts";
import { isTakenUpAgain } from "../../src/capture/judge/resumption.ts";
import { topicsOf } from "../../src/capture/judge/topics.ts";
import { closed, decided, memory } from "./captured.ts";

describe("who gives another value of what was just spoken of replaces it", () => {
  test.each<[known: KnownMemory, ...lines: string[]]>([
    [
      memory("level", "The confidence level is 0.95.", "confidence level", "0.95"),
      "assistant: The confidence level is 0.95 in the table, so the interval is wide.",
      "user: we go with 0.9 everywhere, simpler to explain",
    ],
    [
      memory("exam", "The botany exam is on 2 February 2026.", "exam", "2 February 2026"),
      "assistant: The botany exam is close, so let us plan backwards.",
      "user: Now is 9 February, because the teacher Marttila is sick",
    ],
    [
      memory("region", "The cluster runs in Frankfurt.", "region", "Frankfurt"),
      "assistant: For the report, which region are the nodes in, still Frankfurt?",
      "user: no that was the move, we're in Stockholm since 21 March",
    ],
    [
      memory("shoes", "Shoe size is 38.", "shoe size", "38"),
      "assistant: Oh no! Which size and fit?",
      "user: 39, narrow heel",
    ],
    [
      memory("churn", "A customer counts as lost 30 days after the last order.", "churn window", "30 days"),
      "assistant: A customer counts as lost 30 days after the last order. Shall I use that?",
      "user: finance and us settled on 45 last thursday, so 45 from now on",
    ],
    [
      memory("limit", "Agents refund up to 50 euros without asking.", "refund limit", "50 euros"),
      "user: the limit for refunds is 80 now by the way, so we can pay what the customer with the broken kettle wants",
    ],
  ])("%j %s", (known, ...lines) => expect(closed(known, ...lines)).toEqual(["UPDATE"]));

  test.each<[known: KnownMemory, ...lines: string[]]>([
    [
      memory("shoes", "Shoe size is 38.", "shoe size", "38"),
      "assistant: Which shirt size do you take?",
      "user: 39, slim fit",
    ],
    [
      memory("standup", "The team has a daily stand-up at 9:45.", "stand-up", "9:45"),
      "assistant: The stand-up is at 9:45, and the tests are still red.",
      "user: the office is open until 19 now",
    ],
  ])("but not of something else: %j %s", (known, ...lines) => expect(closed(known, ...lines)).toEqual([]));
});

describe("a value that is denied is given up", () => {
  test.each<[known: KnownMemory, ...lines: string[]]>([
    [
      memory("off", "Has Fridays off.", "day off", "Friday"),
      "user: I changed my free day at work, it's not friday any more it's wednesday",
    ],
    [
      memory("concert", "The choir's concert is on 13 June 2026.", "concert", "13 June 2026"),
      "user: and the concert: not the 13th, the church is taken, 20 june same time",
    ],
    [
      memory("home", "Her father lives at Elmcourt.", "father's home", "Elmcourt"),
      "user: her father isn't at Elmcourt any longer, he moved to Hazel House on the second of March",
    ],
    [
      memory("shop", "The weekly shop is done on Saturday.", "shopping day", "Saturday"),
      "assistant: Here is the shopping list for Saturday.",
      "user: Not Saturday, we've given that up. I order on Tuesday now",
    ],
    [
      memory("dose", "Takes 50 mg of losartan a day.", "losartan dose", "50 mg"),
      "user: doc upped my losartan to 100 this morning.",
    ],
    [
      memory("donation", "Gives £10 a month to Seabird Rescue.", "monthly donation", "£10"),
      "user: bumped my seabird donation up to £15 a month, how much gift aid is that a year?",
    ],
    [
      memory("car", "Drives a Skoda Fabia.", "car", "Skoda Fabia"),
      "user: Traded the Fabia for an electric Kia Niro at the weekend 😎 what charger do I need at home?",
    ],
  ])("%j %s", (known, ...lines) => expect(closed(known, ...lines)).toContain("UPDATE"));

  test("and the name of what there is instead is what replaces it", () =>
    expect(
      closed(
        memory("band", "The band is called The Lanterns.", "band", "The Lanterns"),
        "user: We're not The Lanterns anymore, there was another one.",
      ),
    ).not.toContain("UPDATE"));
});

describe("what is over is told in many ways", () => {
  test.each<[known: KnownMemory, ...lines: string[]]>([
    [
      memory("physio", "Has physiotherapy for the knee on Wednesdays.", null),
      "assistant: You have physiotherapy for the knee on Wednesdays as well.",
      "user: Oh that's over, she signed me off.",
    ],
    [memory("port", "A port to the console is planned.", "port"), "user: the port is off the table, they pulled out"],
    [memory("hearing", "The hearing is on 14 April.", "hearing"), "user: the hearing of 14 April has been vacated."],
  ])("%j %s", (known, ...lines) => expect(closed(known, ...lines)).toHaveLength(1));
});

describe("what goes on closes nothing", () => {
  test.each<[known: KnownMemory, ...lines: string[]]>([
    [
      memory("seat", "Prefers a window seat.", "seat", "window"),
      "user: I took the aisle seat this time, it's 14 hours",
    ],
    [
      memory("style", "Cites in APA style.", "citation style", "APA"),
      "user: for the geography essay they want the Chicago style now, only for that one",
    ],
    [
      memory("season", "The field season ends in October.", null),
      "user: this year the field season ends in September since the boat is broken, normally October as usual",
    ],
    [
      memory("closed", "The studio is closed on Sundays.", "closed day", "Sunday"),
      "user: topics: summer courses, new glazes, open studio day 27 June",
    ],
    [memory("class", "Goes to the Tuesday pottery class.", null), "user: the thursday pottery class got cancelled"],
    [memory("store", "The data team uses Snowflake.", null), "user: The marketing folks dropped Snowflake."],
    [memory("bees", "Keeps bees.", null), "user: lost all my bees two winters ago, and the new swarm is doing great"],
    [memory("honey", "The stall sells honey.", null), "user: no honey on the stall until the July harvest"],
    [
      memory("gym", "Is a member of the gym Ironbar.", null),
      "assistant: Is the contract with the gym Ironbar to be cancelled too?",
      "user: no need, I keep it. my husband he stopped with his",
    ],
    [
      memory("contact", "The user wants to be written to by letter.", "contact", "letter"),
      "assistant: Would you like it by email, which is quicker?",
      "user: I do not trust email with such things.",
    ],
    [memory("order", "The user's order 2002 arrived late.", null), "user: my order 2004 hasn't arrived yet"],
    [
      memory("hosting", "The team hosts its site on Hetzner.", null),
      "user: With Hetzner gone and everything on AWS, what would our bill be?",
    ],
    [
      memory("vets", "The user works at Orchard Vets.", "employer", "Orchard Vets"),
      "user: I left Orchard Vets in 2022, hated the new place, and they took me back last spring.",
    ],
    [
      memory("builds", "The team runs its builds on Jenkins.", null),
      "user: There's a story that we dropped Jenkins. Simply wrong, every build still runs there.",
    ],
    [
      memory("parrot", "Has a parrot called Kiwi.", null),
      "assistant: Is Kiwi your first bird?",
      "user: No, we had a budgie years ago, he died in 2015. Kiwi came after.",
    ],
    [
      memory("honey", "The stall sells honey.", null),
      "user: no honey on the stall until the July harvest, we're sold out, sorry",
    ],
    [memory("study", "The user studies law in Turku.", null), "user: A friend from my year dropped out of law."],
  ])("%j %s", (known, ...lines) => expect(closed(known, ...lines)).toEqual([]));

  test("who is alto as ever says again what is known", () =>
    expect(
      decided(
        memory("choir", "Sings alto in the choir.", "choir part", "alto"),
        "user: choir: I said I'd switched to soprano in my last message, I'm alto as ever in the choir",
      ),
    ).toEqual(["NOOP"]));

  test("who names the value of today and one to come says more than is known", () =>
    expect(
      decided(
        memory("income", "Earns 3,400 net a month.", "net income", "3,400"),
        "assistant: And the net income?",
        "user: 3.400 until june, then I get 3.550",
      ),
    ).not.toContain("NOOP"));
});

test.each([
  ["3.400 net", "3400"],
  ["1,550 net", "1550"],
  ["a share of 0.250", "0.25"],
  ["pi is 3.141", "3.141"],
])("%s gives %s", (text, number) => expect([...facetsOf(text).numbers]).toEqual([number]));

test.each([
  ["The newsletter was cancelled in 2019. Margaret revived it.", true],
  ["I left Orchard Vets, and they took me back.", true],
  ["I left Orchard Vets, and they wrote to me.", false],
])("%s goes on again: %j", (text, isAgain) => expect(isTakenUpAgain(text)).toBe(isAgain));

test("machines that are numbered are told apart", () =>
  expect([...topicsOf("otter-1")]).not.toEqual([...topicsOf("otter-2")]));
