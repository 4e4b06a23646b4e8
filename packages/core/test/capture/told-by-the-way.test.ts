import { describe, expect, test } from "vitest";
import { capture, closed, memory, turnsOf } from "./captured.ts";

const kept = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines)).flatMap(({ decision, text }) => (decision === null ? [] : text));

describe("a rule that names a weekday is of each of them", () => {
  test.each([
    ["never deploy on friday", "Never deploy on friday"],
    ["no nuts on monday because the school orders then", "No nuts on monday because the school orders then"],
    [
      "I moved the long run to Saturdays because Heike has kids on sunday now",
      "The user moved the long run to Saturdays because Heike has kids on sunday now",
    ],
    ["from next week on use tabs, not spaces", "From next week (2026-04-01) on use tabs, not spaces"],
  ])("%s", (said, text) => {
    expect(kept(`user: ${said}`)).toEqual([text]);
  });

  test("and one that has passed is a day", () => {
    expect(kept("user: we are three from now on, Timo left for uni on sunday")).toEqual([
      "The team is three from now on, Timo left for uni on sunday (2026-03-22)",
    ]);
  });

  test("the reason of what is so for once is not kept without it", () => {
    expect(kept("user: no gym on monday because the plumber comes at nine")).toEqual([]);
  });
});

describe("somebody's and something's", () => {
  test("what one may not have is kept, and is said of whom it is", () => {
    expect(
      kept(
        "user: My dad was diagnosed with Parkinson's.",
        "assistant: Which medication?",
        "user: Rasagiline 1 mg in the morning. He can't have ibuprofen because of his kidneys",
      ),
    ).toEqual([
      "The user's dad was diagnosed with Parkinson's.",
      "Which medication: Rasagiline 1 mg in the morning.",
      "The user's dad can't have ibuprofen because of his kidneys",
    ]);
  });

  test("others are no verb", () => {
    expect(kept("user: Jonas starts at 3, we others at 4")).toEqual(["Jonas starts at 3, the team others at 4"]);
  });

  test.each([
    ["And the croissants?", "we're down to 110 on saturdays", "The croissants: The team is down to 110 on saturdays"],
    [
      "What about photos?",
      "My cousin Nico does them for free",
      "What about photos: The user's cousin Nico does them for free",
    ],
  ])("what is spoken of is told by what was asked: %s", (question, answer, text) => {
    expect(kept(`assistant: ${question}`, `user: ${answer}`)).toEqual([text]);
  });

  test.each([
    [
      "How do you invoice?",
      "at the end of the month, net 30, in euros",
      "How does the user invoice: At the end of the month, net 30, in euros",
    ],
    [
      "How long do you practise?",
      "half an hour, mornings only, the neighbours complain in the evening",
      "How long does the user practise: Half an hour, mornings only, the neighbours complain in the evening",
    ],
    [
      "Did all accept?",
      "Lingua Nova didn't, so I stopped working for them",
      "Did all accept: Lingua Nova didn't, so the user stopped working for them",
    ],
  ])("what begins without a verb is told by what was asked: %s", (question, answer, text) => {
    expect(kept(`assistant: ${question}`, `user: ${answer}`)).toEqual([text]);
  });

  test.each([
    [
      "I want to run the Lavaredo ultra, 120k, on 26 June",
      "The user wants to run the Lavaredo ultra, 120k, on 26 June",
    ],
    ["I also take Spanish now", "The user also takes Spanish now"],
    ["I practise an hour now", "The user practises an hour now"],
  ])("%s", (said, text) => {
    expect(kept(`user: ${said}`)).toEqual([text]);
  });

  test("a month says when something of weight is done", () => {
    expect(kept("user: I'm taking the bar in July, I need a study plan")).toEqual([
      "The user is taking the bar in July",
    ]);
  });
});

describe("who has told something of theirs is asked about that, and in no quiz", () => {
  const asked = (reply: string): readonly string[] =>
    kept(
      "user: We run a bakery in Ghent.",
      "assistant: How many people are on the early shift?",
      "user: three",
      `assistant: ${reply}`,
    );

  test("a bare answer is kept", () => {
    expect(asked("I plan with that.")).toEqual([
      "The team runs a bakery in Ghent.",
      "How many people are on the early shift: Three",
    ]);
  });

  test.each(["Correct!", "Not quite, it is four.", "That's right! Next one.", "Well done."])(
    "and not where the assistant knew it: %s",
    (reply) => {
      expect(asked(reply)).toEqual(["The team runs a bakery in Ghent."]);
    },
  );
});

describe("what takes the place of something is kept", () => {
  test.each([
    ["Her brother Sam takes him on Wednesdays", "Sam can't do wednesdays any more, he does fridays"],
    ["The rye comes from Lenz in Potsdam", "we stopped buying from Lenz, we make the rye ourselves now"],
    ["The user has a Yamaha P-45", "sold the Yamaha, got a used Bechstein upright"],
  ])("%s: %s", (known, said) => {
    expect(closed(memory("p1", known), `user: ${said}`)).toEqual(["UPDATE"]);
  });

  test.each([
    ["The team is on Godot 4.3, GDScript only, no C#", "we upgraded to 4.5 last week"],
    [
      "Target is steam deck, 60 fps, max 2 GB memory",
      "we decided to drop the steam deck, it's Switch now, so 30 fps is fine",
    ],
  ])("with what it leaves untold: %s", (known, said) => {
    const candidates = capture(turnsOf(`user: ${said}`), [memory("p1", known)]);
    expect(candidates.map(({ decision, text }) => [decision, text.endsWith(`(before: ${known})`)])).toEqual([
      ["UPDATE", true],
    ]);
  });

  test("and without what it takes the place of as a whole", () => {
    const [candidate] = capture(turnsOf("user: My budget is 900 euros now"), [
      memory("p1", "The user's budget is 700 euros"),
    ]);
    expect(candidate).toMatchObject({ decision: "UPDATE", text: "The user's budget is 900 euros now" });
  });
});
