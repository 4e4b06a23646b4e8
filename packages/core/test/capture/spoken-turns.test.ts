import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

/** A call of a tool, what it returned, and what the assistant says then. */
const working = (reply: string): readonly string[] => ["assistant: ", "tool: ok", `assistant: ${reply}`];

/** The same where a program gives what the tool returned as if the user had said it. */
const workingByText = (reply: string): readonly string[] => [
  "assistant: ```\nnpm test\n```",
  "user: OBSERVATION:\nbox:~$",
  `assistant: ${reply}`,
];

const textsOf = (lines: readonly string[]): readonly string[] =>
  capture(turnsOf(...lines)).flatMap(({ state, text }) => (state === "active" ? text : []));

describe.each([
  ["tools", working],
  ["reports in the role of the user", workingByText],
])("where an assistant works with %s", (_, work) => {
  test("what it says when it is done is its reply", () => {
    expect(textsOf(["user: yes, the tests run in the container", ...work("The tests run in the container.")])).toEqual([
      "The tests run in the container",
    ]);
  });

  test("what it replies tells of its work, and not that a rule is no matter to it", () => {
    expect(textsOf(["user: use a constraint rather than locking", ...work("The race no longer shows.")])).toEqual([
      "Use a constraint rather than locking",
    ]);
  });

  test("an order that it reports as done is not agreed upon", () => {
    expect(textsOf(["user: write the page for seasons", ...work("The page for seasons is written.")])).toEqual([]);
  });

  test("what it asked before its calls is what the user answers", () => {
    const asked = ["assistant: Which port does the proxy listen on?", ...work("").slice(0, 2)];
    expect(textsOf(["user: start the proxy", ...asked, "user: 8443"])).toEqual([
      "Which port does the proxy listen on: 8443",
    ]);
  });
});

test("an order that is only said again is agreed upon", () => {
  expect(textsOf(["user: write the page for seasons", "assistant: The page for seasons, then."])).toHaveLength(1);
});

test("what leads to code of the assistant is what the user speaks of, and not the end of the code", () => {
  const drawn = "assistant: I could draw it as a forest plot:\n\n```r\nggplot(d)\n```";
  expect(textsOf(["user: how is it drawn?", drawn, "user: that is for the report of 3 May"])).toEqual([
    "The assistant could draw it as a forest plot: That is for the report of 3 May",
  ]);
});

test("what a tool returned just before is what the user speaks of, and not what the assistant said before it", () => {
  const before = ["user: count the regions", "assistant: I compare all the columns.", "tool: 17 412"];
  expect(textsOf([...before, "user: 412, that is region 17"])).toEqual(["412, that is region 17"]);
});
