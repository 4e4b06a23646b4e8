import type { CaptureCandidate, CapturedTurn } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureTurns, type KnownMemory } from "../../src/capture/index.ts";
import { propertyRuns } from "../property-runs.ts";

/** Turns as `user: text` and `assistant: text`, a minute apart. */
function turnsOf(...lines: readonly string[]): readonly CapturedTurn[] {
  return lines.map((line, index) => {
    const colon = line.indexOf(": ");
    const role = line.slice(0, colon) as CapturedTurn["role"];
    return {
      turn: index + 1,
      role,
      content: line.slice(colon + 2),
      at: Date.parse("2026-03-25T10:00:00Z") + index * 60_000,
    };
  });
}

const memory = (id: string, text: string, slot: string | null = null, value: string | null = null): KnownMemory => {
  return { id, text, slot, value, scope: "user:ada" };
};

function capture(turns: readonly CapturedTurn[], memories: readonly KnownMemory[] = []): readonly CaptureCandidate[] {
  const gates = { duplicate: 0.9, related: 0.6 };
  return captureTurns({ turns, scope: "user:ada", memories, cosineOf: () => 0.4, gates }).candidates;
}

/** What of it is remembered, or why not. */
const outcomes = (candidates: readonly CaptureCandidate[]): readonly string[] =>
  candidates.map(({ decision, reason, category }) => reason ?? `${decision} ${category}`);

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
    ["ok hasta mañana", "¡Hasta mañana!"],
    ["Yo soy cansado.", "Almost: Yo estoy cansado."],
    ["thanks Tom", "You're welcome, Tom."],
  ])("%s, said back, is no decision", (said, reply) =>
    expect(outcomes(capture(turnsOf(`user: ${said}`, `assistant: ${reply}`)))).toEqual(["VAGUE"]),
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

describe("what is known", () => {
  test.each([
    ["I switched to the light theme for good", memory("m1", "Prefers the dark theme."), "UPDATE", "m1"],
    ["the stand-up moved to 9:45", memory("m1", "The stand-up is at 9:15."), "UPDATE", "m1"],
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

test("what is the project's waits for somebody who may approve", () => {
  const input = {
    turns: turnsOf("user: we deploy on Tuesdays and Thursdays"),
    scope: "user:ada",
    projectScope: "project:x",
  };
  const rest = { memories: [], cosineOf: () => 0, gates: { duplicate: 0.9, related: 0.6 } };
  const statesOf = (mayApprove: boolean): readonly unknown[] =>
    captureTurns({ ...input, ...rest, mayApprove }).candidates.map(({ state, scope }) => [state, scope]);
  expect(statesOf(false)).toEqual([["quarantined", "project:x"]]);
  expect(statesOf(true)).toEqual([["active", "project:x"]]);
});

test("for any turns: the same again, places inside the turns, no text over 600 units", () => {
  const said = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 80 }),
    fc
      .array(
        fc.constantFrom("I", "always", "not", "if", "moved", "to", "Oslo", "9:15", ",", "and", "?", ".", "since", '"'),
        { maxLength: 30 },
      )
      .map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(
      fc.array(fc.record({ role: fc.constantFrom("user", "assistant"), said }), { maxLength: 6 }),
      (lines) => {
        const turns = turnsOf(...lines.map((line) => `${line.role}: ${line.said}`));
        const candidates = capture(turns, [memory("m1", "Lives in Oslo.")]);
        expect(capture(turns, [memory("m1", "Lives in Oslo.")])).toEqual(candidates);
        for (const { text, evidence } of candidates) {
          expect(text.length).toBeLessThanOrEqual(620);
          for (const { turn, start, end } of evidence)
            expect(turns[turn - 1]?.content.slice(start, end).length).toBe(end - start);
        }
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

test("what is over and has a successor in the same turn is replaced, not deleted", () => {
  const known = [memory("m1", "The family doctor is Dr Holm.", "doctor", "Dr Holm")];
  const found = capture(turnsOf("user: our doctor, Dr Holm, retired in March. The young one, Dr Lind."), known);
  expect(found.map(({ decision, target }) => [decision, target])).toEqual([
    ["NOOP", "m1"],
    ["UPDATE", "m1"],
  ]);
});

test.each(["I live in Oslo since May. ", "???? ", ". ", "i moved, ", '"a b c ', "\u201ca b c "])(
  "256 KB of %j are read in a moment",
  (unit) => {
    const started = process.cpuUsage();
    capture(turnsOf(`user: ${unit.repeat(Math.ceil((256 * 1024) / unit.length))}`), [memory("m1", "Lives in Oslo.")]);
    // Microseconds of processor time: what others do beside it does not count.
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  },
);

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

describe("what else a memory says", () => {
  test("a rule has the tools and nouns that it is about as tags", () => {
    const [turn] = turnsOf("user: from now on run the linter before each deployment of the invoices service");
    const [candidate] = capture([{ ...(turn as CapturedTurn), tools: ["Deploy_App"] }]);
    expect(candidate?.tags).toEqual(["deploy_app", "linter", "deployment", "invoices", "service"]);
  });

  test.each([
    ["I work at Corvid since March", "2026-03-01"],
    ["we use Kafka from 1 June", "2026-06-01"],
    ["I've been a vegan since 2019", "2019-01-01"],
    ["I moved to Ghent last Friday", "2026-03-20"],
    ["we have used Vue since October", "2025-10-01"],
    ["my flat has an induction hob", undefined],
    ["we meet on Fridays at 9:30", undefined],
  ])("%s: from %s", (said, date) => {
    const [candidate] = capture(turnsOf(`user: ${said}`));
    expect(candidate?.reason).toBeNull();
    expect(candidate?.validFrom).toBe(date === undefined ? null : Date.parse(`${date}T00:00:00Z`));
  });

  test.each([
    ["please always answer in German", "user:ada"],
    ["from now on explain with examples", "user:ada"],
    ["never deploy on a Friday afternoon", "project:hut"],
    ["always answer customers within two days", "project:hut"],
  ])("%s: is of %s", (said, scope) => {
    const { candidates } = captureTurns({
      turns: turnsOf(`user: ${said}`),
      scope: "user:ada",
      projectScope: "project:hut",
      mayApprove: true,
      memories: [],
      cosineOf: () => 0,
      gates: { duplicate: 0.9, related: 0.6 },
    });
    expect(candidates.map((each) => each.scope)).toEqual([scope]);
  });

  test("what is passing by itself is passing whoever does it", () => {
    const said = ["my stomach is growling", "the cat is sitting on my keyboard", "I have a meeting in ten minutes"];
    for (const text of said) expect(outcomes(capture(turnsOf(`user: ${text}`)))).toEqual(["TRANSIENT"]);
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
      "UPDATE eks: The team has upgraded EKS to 1.31 last night.",
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
    ["Joris does the ovens and Fien the shop.", "user: Fien quit last week, so my sister Ada runs the shop now."],
    ["The team's stack: Next.js on Vercel, Resend for mail.", "user: We replaced Resend with Postmark."],
    ["The user has a cat, Muis, and a motorbike.", "user: Sold the motorbike, I cycle everywhere."],
    [
      "Sofia owns billing, Raj owns search, and the user owns infra.",
      "user: Raj left the company, search is mine now.",
    ],
    ["The team is a three person startup building invoicing for plumbers.", "user: We're five people now."],
    ["The team upgraded Postgres to 17.", "user: We dropped Redis last week."],
    ["The user doesn't eat shellfish.", "user: Paul eats fish again, so sushi is fine."],
  ])("%j stands beside %j", (known, said) => {
    expect(decisions(known, said)).not.toEqual(expect.arrayContaining(["UPDATE"]));
    expect(decisions(known, said)).not.toEqual(expect.arrayContaining(["DELETE"]));
    expect(decisions(known, said)).toContain("ADD");
  });

  test("a memory that is not over keeps others from being taken for what is meant", () => {
    const known = [
      memory("swimming", "Mila has swimming on Tuesdays and Jonas stays until 3."),
      memory("grandma", "Their grandma picks them up on Fridays."),
    ];
    const turns = turnsOf("user: Mila quit swimming, she does judo on Thursdays now.");
    expect(capture(turns, known).map(({ decision }) => decision)).toEqual(["ADD"]);
  });

  test.each([
    ["The team uses npm for everything.", "user: We switched from npm to pnpm."],
    ["Jonas goes to nursery until 3.", "user: Jonas can stay at nursery until 4 now."],
    ["The budget is 6,000 euros.", "user: Our budget grew to 7,500."],
    [
      "The team hosts on Fly and pays about 120 dollars a month.",
      "user: We moved off Fly to Hetzner, it's 40 dollars now.",
    ],
  ])("%j is replaced by %j", (known, said) => {
    expect(decisions(known, said)).toContain("UPDATE");
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

  test("what a colon leads to", () => {
    expect(added("user: Ship it to my office: Conrad Street 12.")).toEqual([
      "Ship it to the user's office: Conrad Street 12.",
    ]);
  });

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
