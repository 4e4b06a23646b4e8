import { describe, expect, test } from "vitest";
import { capture, decided, memory, turnsOf } from "./captured.ts";

const work = ["user: add the export", "assistant: ", "tool: ok", "assistant: It is there."];
const leftIn = (said: string, before: readonly string[] = work): readonly string[] =>
  capture(turnsOf(...before, `user: ${said}`, "assistant: OK.")).flatMap(({ state, slot, text }) =>
    state === "active" && slot === "left to do" ? text : [],
  );

describe("where an assistant works, what is said to be left to do is kept", () => {
  test.each([
    ["still to do: load test on staging", "Left to do: Load test on staging"],
    ["ok thats it for today. todo for tomorrow: HAR-251, then the pdfs", "Left to do: HAR-251, then the pdfs"],
    ["done for today: the table is in, still missing the seed script", "Left to do: The seed script"],
    ["next session: the pdfs, we use react-pdf", "Left to do: The pdfs, the team uses react-pdf"],
    ["thats all. tomorrow: the share sheet", "Left to do: The share sheet"],
    ["open: the lidl loader (waiting for files)", "Left to do: The lidl loader (waiting for files)"],
  ])("%s", (said, left) => expect(leftIn(said)).toEqual([left]));

  test.each([
    "is anything still to do: the docs?",
    "open the file: a.ts",
    "the next one: it fails",
    "left the docs out",
  ])("not %s", (said) => expect(leftIn(said)).toEqual([]));

  test("and nowhere else", () => {
    expect(leftIn("todo for tomorrow: laundry", ["user: hi", "assistant: Hello."])).toEqual([]);
  });
});

describe("what was left to do before", () => {
  const known = memory(
    "m1",
    "Left to do: load test on staging, and the docs page",
    "left to do",
    "load test on staging",
  );

  test("is over by what is left now, and not carried along", () => {
    const [found] = capture(turnsOf(...work, "user: still to do: the docs page"), [known]).slice(-1);
    expect(found).toMatchObject({ decision: "UPDATE", target: "m1", text: "Left to do: The docs page" });
  });

  test("is not over by what shares words with it", () => {
    expect(decided(known, ...work, "user: staging moved to fly.io")).toEqual([]);
  });
});

test("a lesson takes the place of no other lesson", () => {
  const known = memory("m1", "Lesson: always run the install after touching a manifest");
  const lesson = "user: lesson: never run migrations by hand";
  expect(decided(known, lesson)).toEqual([]);
  expect(capture(turnsOf(lesson)).map(({ slot }) => slot)).toEqual([null]);
});

test("a rule on what changed is no change of another rule", () => {
  const known = memory("m1", "Stop adding comments that just say what the line does");
  expect(decided(known, "user: when you're done with a task just say what changed in 2 lines")).toEqual([]);
});
