import type { CaptureCandidate } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { captureTurns, type KnownMemory } from "../../src/capture/index.ts";
import { capture, memory, turnsOf } from "./captured.ts";

describe("what is known", () => {
  test.each([
    ["I switched to the light theme for good", memory("m1", "Prefers the dark theme."), "UPDATE", "m1"],
    ["the stand-up moved to 9:45", memory("m1", "The stand-up is at 9:15."), "UPDATE", "m1"],
    ["we took the couscous off the menu", memory("m1", "Couscous is 16."), "DELETE", "m1"],
    ["our cat died in March", memory("m1", "Has a cat.", "pet", "cat"), "DELETE", "m1"],
    ["I live in Antwerp, near the park", memory("m1", "Lives in Antwerp near the park."), "NOOP", "m1"],
    ["the backup runs at 3 every night", memory("m1", "Plays the viola."), "ADD", null],
  ])("%s", (said, known, decision, target) => {
    expect(capture(turnsOf(`user: ${said}`), [known]).map((each) => [each.decision, each.target])).toEqual([
      [decision, target],
    ]);
  });

  test("a memory is closed once", () => {
    const turns = turnsOf("user: the stand-up moved to 9:45", "assistant: Noted.", "user: the stand-up moved to 9:50");
    const targets = capture(turns, [memory("m1", "The stand-up is at 9:15.")]).map(({ target }) => target);
    expect(targets).toEqual(["m1", null]);
  });
});

test("what is over and has a successor in the same turn is replaced, not deleted", () => {
  const known = [memory("m1", "The family doctor is Dr Holm.", "doctor", "Dr Holm")];
  const found = capture(turnsOf("user: our doctor, Dr Holm, retired in March. The young one, Dr Lind."), known);
  expect(found.map(({ decision, target }) => [decision, target])).toEqual([
    ["NOOP", "m1"],
    ["UPDATE", "m1"],
  ]);
});

describe("the gates", () => {
  const gates = { duplicate: 0.9, related: 0.6 };
  const captured = (said: string, cosine: number, ...memories: readonly KnownMemory[]): readonly unknown[] => {
    const { candidates } = captureTurns({
      turns: turnsOf(`user: ${said}`),
      scope: "user:ada",
      memories,
      cosineOf: () => cosine,
      gates,
    });
    return candidates.map(({ decision, target, reason }) => reason ?? [decision, target]);
  };

  test("what is known already is only evidence", () => {
    expect(
      captured("I always drink black tea at work", 0.92, memory("m1", "Drinks black tea at work, always.")),
    ).toEqual([["NOOP", "m1"]]);
  });

  test("close vectors do not make another value the same", () => {
    expect(captured("I always want the aisle seat", 0.97, memory("m1", "Wants the window seat."))).toEqual([
      ["UPDATE", "m1"],
    ]);
  });

  test("more than two that are nearly identical are enough", () => {
    const like = ["1", "2", "3"].map((id) => memory(`m${id}`, `Drinks black tea at work, cup ${id}.`));
    expect(captured("I always drink black tea at work", 0.97, ...like)).toEqual(["TOO_MANY_NEAR_IDENTICAL"]);
  });
});

describe("what was spoken of is not what is meant", () => {
  const texts = (candidates: readonly CaptureCandidate[]): readonly string[] =>
    candidates.flatMap(({ text, decision, target }) =>
      decision === null ? [] : `${decision} ${target ?? "-"}: ${text}`,
    );

  test("who was named after a statement is not replaced by it", () => {
    const known = [memory("vet", "The family's vet is Dr. Hollis at Greenpaw")];
    const turns = turnsOf("user: turns out Biscuit is allergic to chicken. Dr. Hollis put him on salmon");
    expect(texts(capture(turns, known))).toEqual(["ADD -: Biscuit is allergic to chicken."]);
  });

  test("what was said an earlier turn is not replaced by somebody else's leaving, and is by its successor", () => {
    const known = [memory("eks", "The team runs EKS 1.29 in eu-central-1.")];
    const turns = turnsOf(
      "user: We've upgraded EKS to 1.31 last night. Any APIs I should watch?",
      "assistant: Check the flow control.",
      "user: none used. Rafael left the team so I'm the only SRE now",
    );
    expect(texts(capture(turns, known))).toEqual([
      "UPDATE eks: The team has upgraded EKS to 1.31 last night. (before: The team runs EKS 1.29 in eu-central-1.)",
      "ADD -: Rafael left the team so the user is the only SRE now",
    ]);
  });

  test("what points to something said before still replaces it", () => {
    const known = [memory("commute", "Commutes by train.")];
    const turns = turnsOf(
      "user: is the train on time?",
      "assistant: The 08:31 is on time.",
      "user: thx though I don't take it anymore, got the bike since Monday",
    );
    expect(texts(capture(turns, known))[0]).toMatch(/^(?:UPDATE|DELETE) commute/u);
  });

  test("who is named has not spoken of all that is known of them", () => {
    const known = [memory("noor", "Noor can't get off work before November.")];
    const turns = turnsOf("user: Noor's sister Samira wants to come along. So from Kyoto on we're three.");
    expect(texts(capture(turns, known)).filter((line) => !line.startsWith("ADD"))).toEqual([]);
  });

  test("whose number was spoken of is not another number", () => {
    const known = [memory("customer", "Customer number 4471902")];
    const turns = turnsOf("user: my number is different now. One of the SIMs we don't need anymore, my old work one.");
    expect(texts(capture(turns, known)).filter((line) => !line.startsWith("ADD"))).toEqual([]);
  });

  test("a dose, a weight that changed", () => {
    const known = [
      memory("dose", "The user's doctor put the user on metformin 500 mg twice a day"),
      memory("weight", "The user is at 96 kg"),
    ];
    const turns = turnsOf(
      "user: I'm down to 92 kg!",
      "assistant: Wonderful!",
      "user: metformin was increased to 1000 mg.",
    );
    expect(texts(capture(turns, known)).map((line) => line.split(":")[0])).toEqual(["UPDATE weight", "UPDATE dose"]);
  });
});

describe("what is said besides is not over", () => {
  const decisions = (known: string, ...said: readonly string[]): readonly string[] =>
    capture(turnsOf(...said), [memory("known", known)]).flatMap(({ decision }) => decision ?? []);

  test.each([
    ["The team is a three person startup building invoicing for plumbers.", "user: We're five people now."],
    ["The team upgraded Postgres to 17.", "user: We dropped Redis last week."],
    ["The user doesn't eat shellfish.", "user: Paul eats fish again, so sushi is fine."],
    ["The user's account number is 4471-22.", "user: My number changed, it ends in 31 now."],
    ["Flights from where: Hamburg.", "user: The flight got moved to 11 June."],
    ["Lea is vegetarian.", "user: It's just Lea and me on 4 June."],
    ["Lucía does ballet Saturday mornings, 10:15.", "user: Mateo's Thursday practice moved to Fridays."],
    ["Mateo's practice moved to Fridays.", "user: Diego works Mondays and Wednesdays now."],
    ["Customer number 4471902", "user: One of the SIMs we don't need anymore, my old work one from 2019."],
    ["Paolo wants a raise.", "user: Marini raised prices by 15%."],
    ["Mondays closed.", "user: I've switched to Pescheria Lanza, they bring it Tuesdays and Saturdays."],
    ["The user's left knee, meniscus surgery in 2019.", "user: My right knee needs surgery now, says Dr Voss."],
    ["One route per PR so that Mei does not get tired.", "user: Reviews are Mei or Jonas now."],
    ["The gate code is 4411.", "user: The alarm code is 9921 now."],
  ])("%j stands beside %j", (known, said) => {
    expect(decisions(known, said)).not.toEqual(expect.arrayContaining(["UPDATE"]));
    expect(decisions(known, said)).not.toEqual(expect.arrayContaining(["DELETE"]));
    expect(decisions(known, said)).toContain("ADD");
  });

  test.each([
    ["Joris does the ovens and Fien the shop.", "user: Fien quit last week, so my sister Ada runs the shop now."],
    ["The team's stack: Next.js on Vercel, Resend for mail.", "user: We replaced Resend with Postmark."],
    ["The user has a cat, Muis, and a motorbike.", "user: Sold the motorbike, I cycle everywhere."],
    [
      "Sofia owns billing, Raj owns search, and the user owns infra.",
      "user: Raj left the company, search is mine now.",
    ],
    ["Theo is six and goes to Ashford Primary.", "user: Theo is seven now."],
    ["The team has a cook called Rosa and a waiter called Jim.", "user: Rosa quit, we hired Ben as the new cook."],
    ["The user wants to lose 8 kilos before the wedding in August.", "user: The wedding got moved to 12 September."],
    [
      "The party list: two can't come after all, so the family is at 10 now.",
      "user: The party is cancelled there since May.",
    ],
    ["The team bakes 120 loaves on weekdays and 40 on Sundays.", "user: We're up to 150 loaves a day now."],
    ["Postgres is Neon, Redis from Upstash", "user: Redis is gone, we use Postgres for the queue"],
    ["The user is taking the bar in July, Barbri course, 40 hours a week", "user: I switched from Barbri to Themis"],
    ["The user does the Barbri course", "user: I switched from Barbri to Themis"],
    ["The team runs 14 services in eu-west-1", "user: we run 17 services now"],
    ["New patients get 40 minutes, others 20", "user: New patients get 30 minutes now"],
    [
      "The family lives in a terraced house in Gent with a heat pump, twelve panels and a wood stove",
      "user: The wood stove is out, we sold it",
    ],
    ["The user takes melatonin at night and vitamin D", "user: Stopped the melatonin"],
    ["The user's son Finn is allergic to peanuts and eggs", "user: Finn outgrew the egg allergy"],
    ["The user's son Finn is allergic to peanuts, eggs and milk", "user: Finn outgrew the egg allergy"],
    ["Customers: Bolt, Picnic and Coolblue", "user: Picnic churned"],
  ])("of %j all stands on behind %j", (known, said) => {
    const [candidate] = capture(turnsOf(said), [memory("known", known)]);
    expect(candidate).toMatchObject({ decision: "UPDATE", target: "known" });
    expect(candidate?.text.endsWith(` (before: ${known})`)).toBe(true);
  });

  test("a memory that is not over keeps others from being taken for what is meant", () => {
    const known = [
      memory("swimming", "Mila has swimming on Tuesdays and Jonas stays until 3."),
      memory("grandma", "Their grandma picks them up on Fridays."),
    ];
    const turns = turnsOf("user: Mila quit swimming, she does judo on Thursdays now.");
    expect(capture(turns, known).map(({ decision, target }) => [decision, target])).toEqual([["UPDATE", "swimming"]]);
  });

  test.each([
    ["The team uses npm for everything.", "user: We switched from npm to pnpm."],
    ["Jonas goes to nursery until 3.", "user: Jonas can stay at nursery until 4 now."],
    ["The user's phone number ends in 88.", "user: My number changed, it ends in 31 now."],
    ["The team has 40 guests.", "user: The number of guests is 50 now."],
    ["The flight is on 10 June.", "user: The flight got moved to 11 June."],
    ["The lamb tagine is 19 euros.", "user: Tagine goes to 21 from Monday."],
    ["Marta reviews everything that touches auth.", "user: Joao reviews auth now."],
    ["The budget is 6,000 euros.", "user: Our budget grew to 7,500."],
    ["Theo lives and works in Leeds.", "user: Theo moved to Bergen, he lives there now."],
    ["The user works at Corvid, a bank in Leeds.", "user: I left Corvid, I work at Norvik now."],
    [
      "The team hosts on Fly and pays about 120 dollars a month.",
      "user: We moved off Fly to Hetzner, it's 40 dollars now.",
    ],
  ])("%j is replaced by %j", (known, said) => {
    expect(decisions(known, said)).toContain("UPDATE");
  });
});
