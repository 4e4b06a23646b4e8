import { describe, expect, test } from "vitest";
import { capture, memory, turnsOf } from "./captured.ts";

/** What a user's reply does with a memory. */
function decided(known: string, slot: string | null, value: string | null, ...lines: readonly string[]): string | null {
  const candidates = capture(turnsOf(...lines), [memory("p1", known, slot, value)]);
  return candidates.find(({ target }) => target === "p1")?.decision ?? null;
}

describe("a short reply is about what was asked", () => {
  test.each<[known: string, slot: string, value: string, assistant: string, user: string]>([
    [
      "The budget is 18,000.",
      "budget",
      "18,000",
      "Is the budget still 18,000?",
      "the bank agreed so its 23k now all in",
    ],
    [
      "Runs about 60 km a week.",
      "weekly distance",
      "60 km",
      "And still 60 km a week?",
      "more like 35 since the injury",
    ],
    ["Shoe size is 45.", "shoe size", "45", "Is the shoe size still 45?", "46 in the meantime"],
    [
      "Mr. Lindqvist lays the floor.",
      "floor layer",
      "Mr. Lindqvist",
      "Will Mr. Lindqvist lay the cork?",
      "Fundo Interiors does it, our contact there is Karol",
    ],
    [
      "Jobs and webhooks go through Rabbit.",
      "queue",
      "Rabbit",
      "Through Rabbit?",
      "Rabbit is gone, we moved over to Nats",
    ],
  ])("%s (%s: %s) %j %j", (known, slot, value, assistant, user) => {
    expect(decided(known, slot, value, `assistant: ${assistant}`, `user: ${user}`)).toBe("UPDATE");
  });

  test("whatever was spoken of in the turns before", () => {
    const talk = [
      "user: The kitchen gets grey tiles, the hall a carpet, the bath a lamp above the mirror and a shelf for towels.",
      "assistant: Tiles, carpet, lamp and shelf are on the list, and the painter, plumber and electrician know. And still 60 km a week?",
    ];
    const said = "user: more like 35 since the injury";
    expect(decided("Runs about 60 km a week.", "weekly distance", "60 km", ...talk, said)).toBe("UPDATE");
  });

  test("what is not any more is over, and what comes next takes its place", () => {
    const asked = "assistant: In the header I put you down as a sole trader.";
    const said = "user: not any more! its a limited since 2 feb: Fernlight Images Ltd";
    const candidates = capture(turnsOf(asked, said), [memory("p1", "Works as a sole trader.", "legal form")]);
    expect(candidates.map(({ decision, target }) => [decision, target])).toEqual([
      ["NOOP", "p1"],
      ["UPDATE", "p1"],
    ]);
  });

  test("a code may be cut to its end", () => {
    const said = "user: Not F4, that one is too hungry. It is STM32U5 from rev B onwards.";
    expect(decided("The MCU is an STM32F4.", "MCU", "STM32F4", "assistant: On the STM32F4?", said)).not.toBeNull();
  });
});

describe("a short statement about something else replaces nothing", () => {
  test.each<[known: string, slot: string, value: string, assistant: string, user: string]>([
    [
      "Native language is Portuguese.",
      "native language",
      "Portuguese",
      "How are your languages?",
      "german only A2. english C1, the native one you know",
    ],
    [
      "The analysis uses a GLM.",
      "model",
      "GLM",
      "Do you want to follow the reviewer?",
      "Elevation we keep, it is main finding. The model can wait.",
    ],
    [
      "Stonecrop is deployed with helm install.",
      "deploy tool",
      "Helm",
      "kubectl patch deployment billing -n prod",
      "no kubectl patch on prod. never. PR to the stonecrop-env repo",
    ],
    [
      "The wedding is at the Orchard Barn.",
      "venue",
      "Orchard Barn",
      "Does the Orchard Barn have vases?",
      "They do. The Castillo would have had more.",
    ],
  ])("%s (%s: %s) %j %j", (known, slot, value, assistant, user) => {
    expect(decided(known, slot, value, `assistant: ${assistant}`, `user: ${user}`)).toBeNull();
  });

  test.each([
    ["Net income is 2710 a month.", "net income", "2710", "net 2710 still."],
    ["Looks for a job in Rotterdam.", "place", "Rotterdam", "Rotterdam remains my preference."],
  ])("what is still so is known: %s %s %s %s", (known, slot, value, user) => {
    expect(decided(known, slot, value, "assistant: Fine.", `user: ${user}`)).toBe("NOOP");
  });
});

describe("what is over for good is, also where it is told of a day", () => {
  test.each([
    ["Drives an old Volvo estate.", "the Volvo got scrapped yesterday"],
    ["Plays Candy Quest on the phone.", "deleted candy quest, it was eating my whole life"],
    ["The server Bramble runs the game.", "The server Bramble was shut down for good last night."],
    ["Takes sertraline.", "came off sertraline completely in march with my GP, feeling alright."],
    ["Has an allotment in Harrow.", "Surrendered the allotment to the council yesterday"],
  ])("%s %s", (known, user) => expect(decided(known, null, null, `user: ${user}`)).toBe("DELETE"));

  test.each([
    ["Drinks two coffees a day.", "Read an article 'Quit coffee and change your life' this morning."],
    ["Plays Candy Quest on the phone.", "I deleted the screenshots of Candy Quest this morning"],
  ])("but not %s %s", (known, user) => expect(decided(known, null, null, `user: ${user}`)).toBeNull());
});

describe("a day, or what has no verb, is kept with what was asked", () => {
  test.each([
    ["When is the launch?", "14 May", "When is the launch: 14 May"],
    ["When is the launch?", "On 14 May", "When is the launch: On 14 May"],
    [
      "Shall I add type hints?",
      "only on public functions",
      "Shall the assistant add type hints: Only on public functions",
    ],
    [
      "Who supplies your fish?",
      "Maison Perrin, they deliver before 8",
      "Who supplies the user's fish: Maison Perrin, they deliver before 8",
    ],
    [
      "What does he like to read?",
      "dinosaurs and anything with maps",
      "What does he like to read: Dinosaurs and anything with maps",
    ],
    [
      "What are they using today?",
      "spreadsheets, and a bit of Airtable",
      "What are they using today: Spreadsheets, and a bit of Airtable",
    ],
    [
      "Nice. Who are your clients?",
      "mainly Carlsen and two small publishers in Vienna",
      "Who are the user's clients: Mainly Carlsen and two small publishers in Vienna",
    ],
  ])("%s %s", (assistant, user, kept) => {
    const found = capture(turnsOf(`assistant: ${assistant}`, `user: ${user}`));
    expect(found.filter(({ decision }) => decision === "ADD").map(({ text }) => text)).toEqual([kept]);
  });

  test.each([
    ["When did the war end?", "1945"],
    ["Do you want tea?", "at 4"],
  ])("but not %s %s", (assistant, user) => {
    const found = capture(turnsOf(`assistant: ${assistant}`, `user: ${user}`));
    expect(found.filter(({ decision }) => decision === "ADD")).toEqual([]);
  });
});

describe("what explains a statement gives it no value", () => {
  const lines = [
    "user: Dana left ACME, our new contact is Phil Otto",
    "assistant: Noted.",
    "user: they want 80 seats now",
  ];
  const [, seats] = capture(turnsOf(...lines)).filter(({ decision }) => decision === "ADD");

  test("its slot is its own", () => {
    expect(seats).toMatchObject({ slot: null, value: null });
    expect(seats?.text).toContain("They want 80 seats now");
  });

  test("so that it is not taken for what is known", () => {
    const contact = memory("m1", "Dana left ACME, the team's new contact is Phil Otto", "contact", "Phil Otto");
    const found = capture(turnsOf(...lines), [contact]).filter(({ text }) => text.includes("80 seats"));
    expect(found.map(({ decision }) => decision)).toEqual(["ADD"]);
  });

  test("a question does", () => {
    const [budget] = capture(turnsOf("assistant: Budget?", "user: 9000 euros"));
    expect(budget).toMatchObject({ decision: "ADD", slot: "budget" });
  });
});

test("whose it is that a sentence begins with is said before it", () => {
  const found = capture(
    turnsOf("user: Leo is in 2nd grade and has dyslexia", "assistant: I see.", "user: His teacher is Ms. Brand"),
  );
  expect(found.map(({ text }) => text)).toContain("Leo is in 2nd grade and has dyslexia: His teacher is Ms. Brand");
});

test("a day that begins an answer is dated", () => {
  const [deadline] = capture(turnsOf("assistant: What's the deadline?", "user: next Friday"));
  expect(deadline?.text).toMatch(/^What's the deadline: Next Friday \(\d{4}-\d\d-\d\d\)$/u);
});
