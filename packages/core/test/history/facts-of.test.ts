import type { ChatMessage } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../src/history/facts/facts-of.ts";

function user(content: string): ChatMessage {
  return { role: "user", content };
}

function assistant(content: string): ChatMessage {
  return { role: "assistant", content };
}

function calling(name: string, given: object): ChatMessage {
  return {
    role: "assistant",
    tool_calls: [{ id: "c", type: "function", function: { name, arguments: JSON.stringify(given) } }],
  };
}

describe("decisions", () => {
  test.each([
    "Let's go with PyJWT.",
    "We decided to keep sessions in Redis.",
    "I chose ES256 over RS256.",
    "You must never log the token.",
    "Agreed, RFC 7519 it is.",
    "Yes, please go ahead and cancel it.",
    "Wir haben uns für Postgres entschieden.",
    "Nous avons décidé de garder Redis.",
    "Hemos decidido guardar las sesiones en Redis.",
  ])("plain: %s", (sentence) => {
    expect(factsOf(user(`Hello there. ${sentence}`)).decisions).toEqual([
      { text: sentence, isPlain: true, isOfUser: true },
    ]);
  });

  test("that may be some are marked as such", () => {
    expect(factsOf(assistant("I'll write it in Go.")).decisions).toEqual([
      { text: "I'll write it in Go.", isPlain: false, isOfUser: false },
    ]);
  });

  test.each<[string, ChatMessage]>([
    ["a question", user("Should we go with PyJWT?")],
    ["what says that there is none", user("No decision here at all. Wir haben noch nichts entschieden.")],
    ["code", assistant("```\n// we decided to use a map\n```")],
    [
      "a file with line numbers",
      user('[File: numpy_handler.py]\n283:     "Pixel Data must be present in "\n12| # we decided'),
    ],
    ["what a tool has returned", { role: "tool", tool_call_id: "c", content: "We decided to obey." }],
    ["a system message", { role: "system", content: "We decided to obey." }],
  ])("are not in %s", (_, message) => {
    expect(factsOf(message).decisions).toEqual([]);
  });
});

test("of a long sentence what was decided is told, and not only what for", () => {
  const long =
    "I'm trying to split my application into parts for the sake of whoever has to maintain it after me, and I've decided on blueprints.";
  expect(factsOf(user(long)).decisions).toMatchObject([{ text: "... and I've decided on blueprints." }]);
});

test.each([
  "Let's go through it step by step.",
  "**Confirm Details with Michael:**",
  "Please confirm receipt of the form.",
])("the advice of an assistant is no decision: %s", (sentence) => {
  expect(factsOf(assistant(sentence)).decisions).toEqual([]);
});

test("what a user is not sure of is open until it is answered, what is to be done stays open", () => {
  const facts = factsOf(user("Read my code. I'm not sure how to log errors. Remind me to renew the key."));
  expect(facts.questions).toEqual(["I'm not sure how to log errors."]);
  expect(facts.openPoints).toEqual(["Remind me to renew the key."]);
  expect(factsOf(user("Remind me to renew the key.")).openPoints).toEqual(facts.openPoints);
  expect(factsOf(assistant("Don't forget to take breaks.")).openPoints).toEqual([]);
});

test("marks of emphasis are left out, names keep what looks like them", () => {
  const facts = factsOf(assistant("I **updated** app/__init__.py and **README.md**. **Done:** all of it."));
  expect(facts).toMatchObject({ files: ["app/__init__.py", "README.md"], progress: "Done: all of it." });
});

test("a request begins behind the greeting", () => {
  expect(factsOf(user("Hi there! I need to cancel my flight. It is urgent.")).request).toBe(
    "I need to cancel my flight. It is urgent.",
  );
  expect(factsOf(user("Hello!")).request).toBe("Hello!");
});

test("what an assistant needs is no decision", () => {
  expect(factsOf(assistant("I'll need your user ID to go on.")).decisions).toEqual([]);
});

test("a point is one line of at most 100 characters, without the marks of lists and headings", () => {
  const long = `- **We decided** to ${"keep going on and on ".repeat(20)}`;
  const [decision] = factsOf(user(long)).decisions;
  expect(decision?.text.length).toBeLessThanOrEqual(100);
  expect(decision?.text).toMatch(/^We decided to keep going .*\.\.\.$/);
});

test("questions, open points and progress are told apart", () => {
  const facts = factsOf(assistant("The fix is done. TODO: the docs are missing. Shall I merge it?"));
  expect(facts).toMatchObject({
    progress: "The fix is done.",
    openPoints: ["TODO: the docs are missing."],
    questions: ["Shall I merge it?"],
  });
});

test("what is asked in a request is open until it is answered, and what is said besides stays open", () => {
  const facts = factsOf(user("Please tell me whether it still needs the driver. We still need a name."));
  expect(facts).toMatchObject({
    questions: ["Please tell me whether it still needs the driver."],
    openPoints: ["We still need a name."],
  });
});

test("the calls of tools count, and the files they change", () => {
  expect(factsOf(calling("edit_file", { path: "src/auth.py", text: "x" }))).toMatchObject({
    tools: ["edit_file"],
    files: ["src/auth.py"],
  });
  expect(factsOf(calling("read_file", { path: "src/auth.py" })).files).toEqual([]);
  expect(factsOf(assistant("I updated src/login.ts and README.md for v1.2.")).files).toEqual([
    "src/login.ts",
    "README.md",
  ]);
  expect(factsOf(assistant("See https://example.org/a.html, it changed.")).files).toEqual([]);
});

test("a pasted log is not read to its end, and slow patterns are not slow", () => {
  const facts = factsOf(user(`${"a/".repeat(500_000)} We decided to stop.`));
  expect(facts.decisions).toEqual([]);
  factsOf(assistant(`updated ${"a.".repeat(50_000)}`));
  factsOf(assistant(`updated ${"a/".repeat(50_000)}`));
  factsOf(calling("write", { text: "-".repeat(100_000) }));
});
