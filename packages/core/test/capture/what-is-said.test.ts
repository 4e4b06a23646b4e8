import type { CapturedTurn } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { capture, memory, outcomes, turnsOf } from "./captured.ts";

describe("what a user says", () => {
  test.each([
    ["I'm a welder at the harbour", "ADD fact"],
    ["please never call before noon", "ADD procedure"],
    ["thanks, and please keep your answers short, I read this on my phone", "ADD procedure"],
    ["I can't run because of my knee, but I like swimming", "ADD preference"],
    ["writing was the worst, only 5.5", "ADD fact"],
    ["we've upgraded EKS to 1.31 last night", "ADD fact"],
    ["he's turning 7 on October 11", "ADD fact"],
    ["I'm writing my PhD thesis on soil microbes", "ADD fact"],
    ["I got promoted to head of sales", "ADD fact"],
    ["we got a puppy last week", "ADD fact"],
    ["I'm dating Sam", "ADD fact"],
    ["my knee is fine again", "ADD fact"],
    ["my router is fine again", "TRANSIENT"],
    ["I'm 34 now", "ADD fact"],
    ["my doctor told me to avoid salt", "ADD fact"],
    ["tomatoes go in the greenhouse", "ADD fact"],
    ["I want to lose 8 kilos before August", "ADD fact"],
    ["I want to cancel my trip before August", "TRANSIENT"],
    ["I sleep 7 and a half hours", "ADD fact"],
    ["I'm back on coffee, one a day", "ADD fact"],
    ["I had a slipped disc in 2022", "ADD fact"],
    ["my mum can't walk far", "ADD fact"],
    ["our passports expire in May", "ADD decision"],
    ["fryer oil is peanut free", "ADD fact"],
    ["big news, I start a new job on Monday", "ADD fact"],
    ["leaving the bank, going to be operations lead at Norden Freight", "ADD fact"],
    ["we upgraded to node 22 over the weekend", "ADD fact"],
    ["we'll raise the budget to 8000", "ADD fact"],
    ["shoulder's all good again", "ADD fact"],
    ["swap 4 and 5", "TRANSIENT"],
    ["please don't call", "ADD procedure"],
    ["never force-push to trunk", "ADD procedure"],
    ["if we ever drop Windows we can kill the self-hosted runner", "HYPOTHETICAL"],
    ["if I took it I'd want a raise to at least 41k", "HYPOTHETICAL"],
    ["we'd get maybe 320k if we sold the house", "HYPOTHETICAL"],
    ["if we got a car it would be simpler but we only have the cargo bike", "ADD preference"],
    ["if I asked for a recipe, I'd like metric units", "ADD preference"],
    ["the kitchen was handed over on 3 March, one day late", "ADD fact"],
    ["one day we want a house in Oslo", "HYPOTHETICAL"],
    ["I'd like to switch to paper bills again", "ADD preference"],
    ["the user ID is already provided", "TRANSIENT"],
    ["what shall I give my daughter Mila?", "QUESTION", "ADD entity"],
    ["I really like long tables", "ADD preference"],
    ["we decided on Svelte for the shop", "ADD decision"],
    ["I've decided to use Netlify instead of Pages", "ADD decision"],
    ["we've set up the app to use 3 workers", "ADD fact"],
    ["we have to use pnpm instead of npm", "ADD procedure"],
    ["use pnpm in the shop", "ADD procedure"],
    ["can you give me an example of how to use Sass?", "QUESTION"],
    ["provide an example of how to use the Chrome DevTools", "TRANSIENT"],
    ["Farah owns the billing module", "ADD entity"],
    ["does it run on Windows?", "QUESTION"],
    ["maybe we try Svelte at some point", "HYPOTHETICAL"],
    ["my colleague says it is slow", "QUOTED"],
    ["I'm waiting for the bus right now", "TRANSIENT"],
    ["thank you so much", "FILLER"],
    ["my token is ghp_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi for the registry", "SECRET"],
  ])("%s: %s", (said, ...expected) => expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual(expected));

  test.each(["OK.", "I will not.", "Understood!", "We talked about the weather and the harbour."])(
    "a rule is kept when the assistant takes it, and not when it speaks of something else: %s",
    (reply) => {
      const found = capture(turnsOf("user: don't touch the legacy folder", `assistant: ${reply}`));
      expect(outcomes(found)).toEqual([reply.startsWith("We") ? "VAGUE" : "ADD procedure"]);
    },
  );

  test.each([
    ["ok hasta mañana", "¡Hasta mañana!", "VAGUE"],
    ["Yo soy cansado.", "Almost: Yo estoy cansado.", "FILLER"],
    ["thanks Tom", "You're welcome, Tom.", "VAGUE"],
  ])("%s, said back, is no decision", (said, reply, reason) =>
    expect(outcomes(capture(turnsOf(`user: ${said}`, `assistant: ${reply}`)))).toEqual([reason]),
  );

  test.each([
    ["Wrong. Never water the ferns at noon.", "Never water the ferns at noon."],
    ["That's not right, always water the ferns at dawn.", "always water the ferns at dawn."],
    ["No, every fern needs a saucer under the pot.", "every fern needs a saucer under the pot."],
    ["Careful: never water the ferns with tap water.", "never water the ferns with tap water."],
    ["No, ferns belong into the shade of the palms.", "ferns belong into the shade of the palms."],
    ["No, a watered fern always stands in its saucer.", "a watered fern always stands in its saucer."],
    ["No. From now on water the ferns with rain water.", "From now on water the ferns with rain water."],
    ["Wrong, never repot a fern before the roots are cold.", "never repot a fern before the roots are cold."],
    [
      "That is not how we do it. After every storm, write the damage into the log.",
      "After every storm, write the damage into the log.",
    ],
  ])("%s: a rule by correction", (said, text) => {
    const found = capture(turnsOf("user: Water the ferns.", "assistant: Watered them at noon.", `user: ${said}`));
    const rules = found.filter(({ category }) => category === "procedure");
    expect(rules).toEqual([expect.objectContaining({ decision: "ADD", isCorrection: true })]);
    expect(rules[0]?.text.toLowerCase()).toBe(text.toLowerCase());
  });

  test.each([
    "No, every seat on the early flight is taken.",
    "That's wrong, the shop never delivers on Sundays.",
    "No, rents in this street never rise before spring.",
    "Wrong. Every tram stops running at midnight.",
    "No, every test of the parser failed.",
    "On Mondays? No, every bakery here was always closed on Mondays.",
    "Wrong, the museum is always open on Mondays.",
    "No, Kim must have joined in April.",
    "No, the ferns wither today.",
    "No, each truck has to take the new bridge since June.",
  ])("%s: a fact by correction is no rule", (said) => {
    const found = capture(turnsOf("user: What do you know of it?", "assistant: I think so.", `user: ${said}`));
    expect(found.filter(({ category }) => category === "procedure")).toEqual([]);
  });

  test.each([
    ["Write the invoice.", "Wrong, the term on an invoice is always 30 days.", 1],
    ["Could you write the invoice?", "Wrong, the term on an invoice is always 30 days.", 1],
    ["What is the term on our invoices?", "Wrong, the term on an invoice is always 30 days.", 0],
    ["Write the invoice.", "No, every invoice has the order number.", 1],
    ["Book an early flight.", "No, every seat on the early flight is taken.", 0],
    ["Run the tests.", "No, every test of the parser failed.", 0],
  ])("%s … %s: what always holds of work is a rule, %i", (asked, said, rules) => {
    const found = capture(turnsOf(`user: ${asked}`, "assistant: Here it is.", `user: ${said}`));
    expect(found.filter(({ category }) => category === "procedure")).toHaveLength(rules);
  });

  test.each([
    ["Can you remember that I live in Oslo?", "The user lives in Oslo"],
    ["Please remember that the gate code is 4471.", "The gate code is 4471."],
    ["Remember my birthday is 4 May.", "The user's birthday is 4 May."],
    ["Ok, keep in mind that Ida is allergic to nuts.", "Ida is allergic to nuts."],
    ["Remember: we deploy on Tuesdays.", "The team deploys on Tuesdays."],
    ["Don't forget that the office moved to Graz.", "The office moved to Graz."],
    ["And please note in my profile that I am left-handed.", "The user is left-handed."],
    ["Can you add to my notes that Mum's birthday is 4 June?", "Mum's birthday is 4 June"],
    ["Save this: my shoe size is 39.", "The user's shoe size is 39."],
    ["For the record, we ship on Tuesdays.", "The team ships on Tuesdays."],
    ["just so you know, I work part time", "The user works part time"],
    ["fyi: my desk is on the fifth floor", "The user's desk is on the fifth floor"],
    ["remember I can't have shellfish", "The user can't have shellfish"],
    ["and remember I can't have shellfish, my head hurts", "The user can't have shellfish"],
  ])("%s: what is to be remembered is", (said, text) => {
    const found = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    expect(found.map((candidate) => candidate.text)).toEqual([text]);
  });

  test.each([
    "Do not remember that I live in Oslo.",
    "Do you remember my name?",
    "Remember that evening in Rome?",
    "Can you remember this?",
    "Remind me to buy milk.",
    "Would you keep in mind that I might move?",
    "Please remember that I'm tired today.",
    "For the record, I'm not angry.",
    "fyi I'm running late",
    "Put it in my notes that I might move.",
    "Remember that the token is ghp_a8Kd03mZqLw72nVbXyT4c9Rf5Hs1Pj6Ue0Gi.",
  ])("%s: nothing is", (said) => {
    expect(capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision !== null)).toEqual([]);
  });

  test.each([
    [
      "The quarterly review moved from the 12th to the 19th of May.",
      "The quarterly review moved from the 12th to the 19th of May.",
    ],
    ["Also sign it with my full name, Tomasz Wilk.", "Sign it with the user's full name, Tomasz Wilk."],
    ["I'm freelancing now, mostly data viz.", "The user is freelancing now, mostly data viz."],
    ["Nope, the council accepts 600 tickets at most.", "The council accepts 600 tickets at most."],
  ])("%s: is kept", (said, text) => {
    const found = capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision === "ADD");
    expect(found.map((candidate) => candidate.text)).toEqual([text]);
  });

  test.each([
    "Please translate this: 'I live in Rome and I don't love cats.'",
    "And it's going to be in the Aarhus office this time, not Copenhagen.",
  ])("%s: is not", (said) => {
    expect(capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision !== null)).toEqual([]);
  });

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

  test("a polite no corrects nothing", () => {
    const turns = turnsOf(
      "user: Water the ferns.",
      "assistant: Shall I feed them?",
      "user: No thanks. Always feed them in May.",
    );
    expect(capture(turns).map(({ isCorrection }) => isCorrection)).not.toContain(true);
  });

  test("only the user's own turns are read", () => {
    const turns = turnsOf(
      "assistant: I live in Oslo since May.",
      "tool: The user always wants telemetry on.",
      "user: hm",
    );
    expect(outcomes(capture(turns))).toEqual(["FILLER"]);
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

  test("recalled text is not captured again", () => {
    const [turn] = turnsOf("user: I live in Oslo since May.");
    expect(capture([{ ...(turn as CapturedTurn), isRecalled: true }])).toEqual([]);
  });

  test("of one thing the last word counts", () => {
    const turns = turnsOf(
      "user: the price is 6 euros for students",
      "assistant: Noted.",
      "user: actually make it 7 euros",
    );
    expect(capture(turns).map(({ reason, text }) => [reason, text.includes("7")])).toEqual([
      ["RETRACTED", false],
      [null, true],
    ]);
  });

  test.each([
    ["I prefer tea over coffee. No wait, I prefer coffee.", ["The user prefers coffee."]],
    [
      "I prefer tea over coffee. No wait, I prefer coffee too.",
      ["The user prefers tea over coffee.", "The user prefers coffee too."],
    ],
    ["I work at Bosch. Wait no, I work at Siemens, since May.", ["The user works at Siemens, since May."]],
    [
      "My favourite colour is green. Correction: my favourite colour is blue.",
      ["The user's favourite colour is blue."],
    ],
    ["My son is six. No wait, my daughter is six.", ["The user's daughter is six."]],
    ["I live in Oslo. No wait, I meant I live in Bergen.", ["The user lives in Bergen."]],
    ["I work at Siemens now; I left Bosch in May.", ["The user works at Siemens now", "The user left Bosch in May."]],
    ["My doctor said I have type 2 diabetes.", ["The user's doctor said the user has type 2 diabetes."]],
    ["My friend says I have a nice voice.", []],
    ["My wife and I are getting divorced.", ["The user's wife and the user are getting divorced."]],
    ["We live on the fourth floor.", ["The family lives on the fourth floor."]],
    ["I like tea. Actually I like milk.", ["The user likes tea.", "The user likes milk."]],
  ])("%s", (said, kept) =>
    expect(capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? [text] : []))).toEqual(
      kept,
    ),
  );

  test("what is said again word for word is one memory that rests on all of the places", () => {
    const said = "user: I'm a welder at the harbour.";
    const [once, ...others] = capture(turnsOf(said, "assistant: Done.", said, "assistant: Done.", said));
    expect(others).toEqual([]);
    expect(once).toMatchObject({ decision: "ADD" });
    expect(once?.evidence.map(({ turn }) => turn)).toEqual([1, 3, 5]);
    const often = capture(turnsOf(...Array.from({ length: 40 }, () => said)));
    expect(often.map(({ evidence }) => evidence.length)).toEqual([8]);
  });

  test("what is known word for word is only evidence", () => {
    const known = [
      memory("a", "The user is a baker at the harbour."),
      memory("b", "The user is a welder at the harbour."),
    ];
    const [candidate] = capture(turnsOf("user: I'm a welder at the harbour."), known);
    expect(candidate).toMatchObject({ decision: "NOOP", target: "b" });
  });

  test("what is to be kept nowhere stands nowhere", () => {
    const turns = turnsOf("user: our key lies under the blue pot. better not write that anywhere");
    expect(JSON.stringify(capture(turns))).not.toContain("blue");
  });

  test("addresses are taken out", () => {
    const [candidate] = capture(
      turnsOf("user: our supplier for paper is Norvik, write to jo@norvik.example for every order"),
    );
    expect(candidate?.text).toContain("[email]");
    expect(JSON.stringify(candidate)).not.toContain("jo@norvik");
  });
});

describe("what a memory says by itself", () => {
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

  const added = (...lines: readonly string[]): readonly string[] =>
    capture(turnsOf(...lines)).flatMap(({ decision, text }) => (decision === null ? [] : text));

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
    ).toEqual(["The user has a son, Theo", "The user's son Theo: He's obsessed with dinosaurs since May."]);
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

test.each([
  ["please always answer in short sentences, and never use emojis", true],
  ["no bullet lists please", true],
  ["never merge before the tests are green", false],
  ["Please always give prices in pounds, not euros.", true],
  ["From now on call me Hanne.", true],
  ["Just keep everything short from now on.", true],
  ["Never call me before noon.", false],
  ["Never buy more than 20 pounds of flour.", false],
])("of a rule it is known whether it is about how to speak, %j", (said, isStatic) => {
  const [rule] = capture(turnsOf(`user: ${said}`));
  expect(rule).toMatchObject({ category: "procedure", isStatic });
});

test.each([
  ["I'm vegan.", true],
  ["I am a strict vegetarian.", true],
  ["I'm allergic to peanuts.", true],
  ["Our new restaurant is vegan.", false],
  ["I have a vegan colleague called Tom.", false],
])("of a fact it is known whether it holds for every answer, %j", (said, isStatic) => {
  const [fact] = capture(turnsOf(`user: ${said}`));
  expect(fact).toMatchObject({ state: "active", isStatic });
});

test.each([
  ["My daughter is allergic to hazelnuts.", 0.85],
  ["I'm lactose intolerant.", 0.85],
  ["My daughter is in the choir of Leeds.", 0.55],
])("what does harm when it is forgotten weighs more, %j", (said, importance) => {
  expect(capture(turnsOf(`user: ${said}`))[0]).toMatchObject({ state: "active", importance });
});

test("a day of the week beside its date is not another day", () => {
  const [plan] = capture(turnsOf("user: We meet the head on Wednesday 22 April."));
  expect(plan?.text).toBe("The team meets the head on Wednesday 22 April.");
});

test("all that a joke said is taken back", () => {
  const turns = turnsOf(
    "user: I've won the lottery and we're moving to Monaco!",
    "assistant: Really?",
    "user: April fool!",
  );
  expect(capture(turns).map(({ state }) => state)).not.toContain("active");
});

test.each([
  ["I live in Oslo, not Bergen.", "fact"],
  ["The meeting is in room 5, not in the hall.", "fact"],
  ["Weights, not cups.", "procedure"],
  ["Use pnpm there, not npm.", "procedure"],
])("what is not so makes no rule of how it is: %s", (said, category) =>
  expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual([`ADD ${category}`]),
);
