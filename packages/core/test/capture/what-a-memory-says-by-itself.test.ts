import { describe, expect, test } from "vitest";
import { capture, memory, turnsOf } from "./captured.ts";

describe("what a user says", () => {
  test("what a request tells is told of what stands before it", () => {
    const said =
      "I'm afraid to miss the call with Professor Lund, so can you remind me that it's moved to March 22 at 4:30 PM?";
    const found = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    expect(found.map(({ text }) => text)).toEqual([
      "The user is afraid to miss the call with Professor Lund: it's moved to March 22 at 4:30 PM",
    ]);
  });

  test("of a sentence without an end its clauses are read", () => {
    const filling = ", and the colour of the bars should be easy to tell apart on every screen that people have".repeat(
      6,
    );
    const said = `I'm working on the dashboard, which has recently improved to 250 ms${filling} - can you help me with the charts?`;
    const found = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    expect(found.map(({ text }) => text).join("\n")).toContain("250 ms");
    expect(found.map(({ text }) => text).join("\n")).not.toContain("help");
  });

  test("to when something moved is told with what moved", () => {
    const exam = memory("exam", "The physics exam is on 14 May.");
    const lines = [
      "user: they moved the exam",
      "assistant: Earlier or later?",
      "user: earlier. 7 May, it's on the board",
    ];
    const found = capture(turnsOf(...lines), [exam]).find(({ decision }) => decision === "UPDATE");
    expect(found?.text).toBe("They moved the exam: 7 May, it's on the board (before: The physics exam is on 14 May.)");
  });

  test("a corrected answer is told of what was asked", () => {
    const found = capture(
      turnsOf("user: Is the museum open on Mondays?", "assistant: I believe so.", "user: No, it's closed on Mondays."),
    );
    const kept = found.filter(({ decision }) => decision === "ADD");
    expect(kept.map(({ text }) => text)).toEqual(["Is the museum open on Mondays: It's closed on Mondays."]);
  });

  test.each([
    ["I live in Utrecht and I work as a nurse.", ["The user lives in Utrecht", "The user works as a nurse."]],
    [
      "hi, this is Marta from Brightleaf, we are on the Enterprise plan",
      ["This is Marta from Brightleaf", "The team is on the Enterprise plan"],
    ],
    ["Change of plans: we're flying in May", ["The team is flying in May"]],
    [
      "The hearing in Brandt v. Immo AG was moved to March 3",
      ["The hearing in Brandt v. Immo AG was moved to March 3"],
    ],
    [
      "I own a bistro with 28 seats in Lyon, closed Sundays and Mondays",
      ["The user owns a bistro with 28 seats in Lyon, closed Sundays and Mondays"],
    ],
    [
      "swimming starts again next saturday but now it's at 9",
      ["Swimming starts again next saturday (2026-03-28) but now it's at 9"],
    ],
    ["I got engaged last night btw :) Abena said yes", ["The user got engaged last night"]],
    [
      "my supervisor is on sabbatical in June, Dr. Lindqvist takes over until she's back in January",
      ["The user's supervisor is on sabbatical in June, Dr. Lindqvist takes over until she's back in January"],
    ],
    [
      "can you draft an agenda for the weekly with the design team? it's Tuesdays at 2",
      ["An agenda for the weekly with the design team: It's Tuesdays at 2"],
    ],
    ["shipped the rewrite on Thursday! activation is at 34", 2],
    ["the rent is 540 from March btw, lol!", ["The rent is 540 from March"]],
    [
      'stop ending every answer with "let me know if you need anything else"',
      ['Stop ending every answer with "let me know if you need anything else"'],
    ],
    ["we decided in today's review to use Kafka", ["The team decided in today's (2026-03-25) review to use Kafka"]],
    ["wifi password is on the fridge", ["Wifi password is on the fridge"]],
    [
      "I'm in 11th grade and struggle with stoichiometry",
      ["The user is in 11th grade and struggles with stoichiometry"],
    ],
    [
      "Invoices go out on the last Friday of the month, net 14",
      ["Invoices go out on the last Friday of the month, net 14"],
    ],
    [
      "Tiago got an offer and accepted, starts in March as junior dev",
      ["Tiago got an offer and accepted, starts in March as junior dev"],
    ],
    ["This repo uses pnpm, never npm.", ["This repo uses pnpm, never npm."]],
    [
      "We are planning a trip to Japan in April, me, my wife Lena and our two kids",
      ["The family is planning a trip to Japan in April, the user, the user's wife Lena and the family's two kids"],
    ],
    ["I live in Ghent, and I work as a cook.", ["The user lives in Ghent", "The user works as a cook."]],
    ["My sister moved to Oslo in May and my brother is allergic to nuts.", 2],
    ["We have two dogs and we walk them a lot.", 1],
    ["I like it and I think so.", 0],
    ["Do you know that I live in Utrecht and I work as a nurse?", 0],
    ["I work as a nurse and would like to know more.", 1],
  ])("%s: facts of their own are kept by themselves", (said, expected) => {
    const kept = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    const texts = kept.map(({ text }) => text);
    expect(typeof expected === "number" ? texts.length : texts).toEqual(expected);
  });

  test.each([
    [
      "I'm looking for something small, easy to maintain, so I prefer Flask with SQLite.",
      "The user prefers Flask with SQLite.",
    ],
    [
      "I'm trying to estimate the forms and validation, and I've come up with 12 hours.",
      "The user has come up with 12 hours.",
    ],
    ["I moved to Bergen in May, with two cats.", "The user moved to Bergen in May, with two cats."],
    ["My advisor, Danielle, lives in Utrecht.", "My advisor, Danielle, lives in Utrecht.".replace("My", "The user's")],
  ])("what goes with a clause that is left out is left out with it: %s", (said, expected) => {
    expect(capture(turnsOf(`user: ${said}`)).map(({ text }) => text)).toEqual([expected]);
  });

  test("a numeral is no pronoun", () => {
    const [act, phase] = capture(
      turnsOf("user: We decided on Act I, Scene 3 for the gala.", "user: We decided that Phase I ends in May."),
    );
    expect(act?.text).toBe("The team decided on Act I, Scene 3 for the gala.");
    expect(phase?.text).toBe("The team decided that Phase I ends in May.");
    expect(capture(turnsOf("user: For my part I prefer tea."))[0]?.text).toBe(
      "For the user's part the user prefers tea.",
    );
  });

  test("what explains a statement begins where a part of it does, and asks for nothing", () => {
    const long = "The dashboard of the harbour answers in 300 ms since the old report is gone from the page of sales";
    const explaining = "the report that three teams of the house and two of the other one read has two indexes";
    const found = capture(
      turnsOf(`user: ${long}, and ${explaining}, so can you look at it? It will be moved to Utrecht in May.`),
    );
    expect(found[1]?.text).toBe(`T${explaining.slice(1)}: It will be moved to Utrecht in May.`);
  });
});

describe("what a memory says by itself", () => {
  const added = (...lines: readonly string[]): readonly string[] =>
    capture(turnsOf(...lines)).flatMap(({ decision, text }) => (decision === null ? [] : text));

  test.each([
    [
      "user: Our database is Postgres 15 on RDS and the cache is Redis 6.",
      ["The team's database is Postgres 15 on RDS", "The cache is Redis 6."],
    ],
    [
      "user: Mila has swimming on Tuesdays and Jonas goes to Kita until 3.",
      ["Mila has swimming on Tuesdays", "Jonas goes to Kita until 3."],
    ],
    [
      "user: Planning Japan, 2 to 16 October, me and my husband Paul.",
      ["Planning Japan, 2 to 16 October, the user and the user's husband Paul."],
    ],
    [
      "user: I climb at Blok on Mondays and do yoga on Wednesdays.",
      ["The user climbs at Blok on Mondays and does yoga on Wednesdays."],
    ],
    ["user: We had a baby girl, Emma, on 3 May.", ["The family had a baby girl, Emma, on 3 May."]],
    ["user: We migrated to Vitest on Monday.", ["The team migrated to Vitest on Monday (2026-03-23)."]],
    ["user: We release every two weeks from now on.", ["The team releases every two weeks from now on."]],
    [
      "user: I'm waiting for the bus, we train on Tuesdays and Thursdays.",
      ["The team trains on Tuesdays and Thursdays."],
    ],
    ["user: Lea found a flat, it's called Casa Mare.", ["Lea found a flat, it's called Casa Mare."]],
    ["user: Found someone new, Karim, starts on the 15th.", ["Found someone new, Karim, starts on the 15th."]],
    [
      "user: A trip to Rome with my mum and my partner Lea, 10 to 20 June.",
      ["A trip to Rome with the user's mum and the user's partner Lea, 10 to 20 June."],
    ],
    ["user: We no longer take cash.", ["The team no longer takes cash."]],
    ["user: I sing alto in the city choir.", ["The user sings alto in the city choir."]],
    [
      "user: We're raising 500k and have 14 months of runway.",
      ["The team is raising 500k and has 14 months of runway."],
    ],
    ["user: My exams are in the last week of March.", ["The user's exams are in the last week of March."]],
    ["user: I like cheese and work at a dairy in Gouda.", ["The user likes cheese and works at a dairy in Gouda."]],
    [
      "user: I wear a helmet and work clothes at the plant in Gouda.",
      ["The user wears a helmet and work clothes at the plant in Gouda."],
    ],
  ] as const)("%s", (said, expected) => {
    expect(added(said)).toEqual(expected);
  });

  test("two facts behind a comma are two memories", () => {
    expect(added("user: My teacher is Ines, lessons are on Thursdays at 6.")).toEqual([
      "The user's teacher is Ines",
      "Lessons are on Thursdays at 6.",
    ]);
  });

  test("whom a pronoun means", () => {
    expect(
      added(
        "user: Can you help me plan a birthday party for my son Theo?",
        "assistant: What does he like?",
        "user: He's obsessed with dinosaurs since May.",
      ),
    ).toEqual(["The user has a son, Theo", "The user's son Theo is obsessed with dinosaurs since May."]);
  });

  test("of what an amount is", () => {
    expect(
      added("user: plan our trip", "assistant: What is your budget?", "user: around 7000 euros without flights"),
    ).toEqual(["What is the user's budget: Around 7000 euros without flights"]);
  });

  test("whom a question asks", () => {
    expect(added("user: set up CI for us", "assistant: Which CI do you use?", "user: GitHub Actions.")).toEqual([
      "Which CI does the user use: GitHub Actions.",
    ]);
  });

  test("what is asked for is answered by a name, or in two words", () => {
    expect(added("user: plan our trip", "assistant: Flights from where?", "user: Hamburg.")).toEqual([
      "Flights from where: Hamburg.",
    ]);
    expect(
      added("user: watch this", "assistant: Any allergens?", "user: the tagine has almonds", "assistant: OK."),
    ).toEqual(["The tagine has almonds"]);
  });

  test.each([
    [
      "Is it the Fibre 250 plan at 12 Quay Street?",
      "Yes, that's right.",
      "Is it the Fibre 250 plan at 12 Quay Street: Yes, that's right.",
    ],
    [
      "I see you are on the Fibre plan, is that right?",
      "yes",
      "The assistant sees the user is on the Fibre plan, is that right: Yes",
    ],
    ["Do you have a cat?", "nope", "Does the user have a cat: Nope"],
    ["Do you want me to book a technician?", "yes please", undefined],
    ["Is it working now?", "yes", undefined],
    ["Have you restarted the router?", "yes", undefined],
    ["Are you vegetarian?", "What do you mean?", undefined],
  ])("what is so is said by a yes: %s %s", (asked, answer, expected) => {
    const memories = added("user: my internet is slow", `assistant: ${asked}`, `user: ${answer}`);
    expect(memories).toEqual(expected === undefined ? [] : [expected]);
  });

  test("what a colon leads to", () => {
    expect(added("user: Ship it to my office: Conrad Street 12.")).toEqual([
      "Ship it to the user's office: Conrad Street 12.",
    ]);
  });

  test.each([
    ["Actually, I live in Oslo now.", "The user lives in Oslo now."],
    ["Actually my favourite colour is blue.", "The user's favourite colour is blue."],
  ])("not what only leads to it, %s", (said, kept) => expect(added(`user: ${said}`)).toEqual([kept]));

  test("whoever is spoken of is no slot", () => {
    const [first] = capture(turnsOf("user: I'm now the only engineer since Rafael left"));
    expect(first?.slot ?? null).toBeNull();
  });

  test("another one who is named takes nobody's place", () => {
    const known = [memory("son", "The user has a son, Theo")];
    const found = capture(turnsOf("user: what shall I give my son Max for his birthday?"), known);
    expect(found.map(({ decision, target, reason }) => reason ?? `${decision} ${target}`)).toEqual([
      "QUESTION",
      "ADD null",
    ]);
  });
});

test("a day of the week beside its date is not another day", () => {
  const [plan] = capture(turnsOf("user: We meet the head on Wednesday 22 April."));
  expect(plan?.text).toBe("The team meets the head on Wednesday 22 April.");
});
