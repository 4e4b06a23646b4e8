import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

const reported = "user: booking.test.ts is flaky, it fails 1 in 20 in ci";
const worked = [
  "assistant: ",
  "tool: × rejects overlaps",
  "assistant: Fixed: two requests ran at once, I have added an exclusion constraint.",
];
const remedy =
  "Booking.test.ts is flaky, it fails 1 in 20 in ci. What fixed it: Two requests ran at once, the assistant has added an exclusion constraint.";

const keptOf = (...lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines)).flatMap(({ state, text }) => (state === "active" ? text : []));

describe("what fixed a trouble", () => {
  test.each(["that fixed it. good find", "nice, works now", "🎉 solved!", "thx that did the trick"])(
    "is kept in the words of the assistant when the user says so: %s",
    (said) => expect(keptOf(reported, ...worked, `user: ${said}`)).toEqual([remedy]),
  );

  test("cites both", () => {
    const found = capture(turnsOf(reported, ...worked, "user: that fixed it"));
    expect(found.find(({ text }) => text === remedy)?.evidence.map(({ turn }) => turn)).toEqual([5, 4]);
  });

  test("is of the trouble that was told some turns before, or with what a program printed", () => {
    const log = "user: ci says this\n\nError: exit 1";
    const between = ["user: try another one", "assistant: ", "tool: ok", "assistant: I have bumped the runner image."];
    expect(keptOf(log, ...worked, ...between, "user: that fixed it")).toEqual([
      "Ci says this. What fixed it: The assistant has bumped the runner image.",
    ]);
  });

  test.each(["works, but not in ci", "does it work now?", "that did not fix it", "ok", "good find"])(
    "is not known where the user does not say so: %s",
    (said) => expect(keptOf(reported, ...worked, `user: ${said}`)).toEqual([]),
  );

  test("is told of nothing where nothing was in trouble, or the assistant has no tools", () => {
    expect(keptOf("user: add an export", ...worked, "user: nice, works now")).toEqual([]);
    expect(
      keptOf("user: prod was down last month", "assistant: I see.", "user: add a check", ...worked, "user: works"),
    ).toEqual([]);
    expect(keptOf(reported, "assistant: Add a constraint on the booking.", "user: that fixed it")).not.toContain(
      remedy,
    );
  });

  test("keeps no secret of what the assistant said", () => {
    const secret = "assistant: I have put the key sk_live_9fKq27LmZx04TbVc into the environment of the worker.";
    expect(keptOf(reported, ...worked.slice(0, 2), secret, "user: that fixed it")).toEqual([]);
  });
});

describe("what an assistant is to work on", () => {
  test("is no fact: it is over when the work is", () => {
    expect(keptOf(reported, ...worked)).toEqual([]);
    expect(keptOf("user: HAR-212: the quote returns 500 for stays over 30 days", ...worked)).toEqual([]);
  });

  test("stays true where it is the user's", () => {
    expect(keptOf("user: My parcel 88213 arrived with a broken lid.", ...worked)).toEqual([
      "The user's parcel 88213 arrived with a broken lid.",
    ]);
  });

  test.each([
    "The api maps 23P01 to 409 in the error plugin",
    "Go with the index, redis would be one more thing to run",
  ])("is none where it only names an error: %s", (said) => expect(keptOf(`user: ${said}`, ...worked)).toEqual([said]));
});
