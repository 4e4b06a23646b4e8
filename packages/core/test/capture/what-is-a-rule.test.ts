import { describe, expect, test } from "vitest";
import { capture, outcomes, turnsOf } from "./captured.ts";

describe("what a user says", () => {
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
    ["I'm drafting the methods section, can you keep British spelling and never use contractions?", ["ADD procedure"]],
    ["I'm drafting the methods section, can you check whether I ever use contractions?", ["QUESTION"]],
  ])("asked for behind what is told: %s", (said, found) =>
    expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual(found),
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

  test("a polite no corrects nothing", () => {
    const turns = turnsOf(
      "user: Water the ferns.",
      "assistant: Shall I feed them?",
      "user: No thanks. Always feed them in May.",
    );
    expect(capture(turns).map(({ isCorrection }) => isCorrection)).not.toContain(true);
  });
});

test.each([
  ["please always answer in short sentences, and never use emojis", true],
  ["no bullet lists please", true],
  ["never merge before the tests are green", false],
  ["Please always give prices in pounds, not euros.", true],
  ["From now on call me Hanne.", true],
  ["Please always write to me in German.", true],
  ["Just keep everything short from now on.", true],
  ["Never call me before noon.", false],
  ["Never buy more than 20 pounds of flour.", false],
])("of a rule it is known whether it is about how to speak, %j", (said, isStatic) => {
  const [rule] = capture(turnsOf(`user: ${said}`));
  expect(rule).toMatchObject({ category: "procedure", isStatic });
});

test.each([
  ["I live in Oslo, not Bergen.", "fact"],
  ["The meeting is in room 5, not in the hall.", "fact"],
  ["The paper is due on 3 June, not on 5 June.", "decision"],
  ["We decided on pnpm, not npm.", "decision"],
  ["Weights, not cups.", "procedure"],
  ["Use pnpm there, not npm.", "procedure"],
])("what is not so makes no rule of how it is: %s", (said, category) =>
  expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual([`ADD ${category}`]),
);
