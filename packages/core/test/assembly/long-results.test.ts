import type { ChatMessage } from "@loci/domain";
import { expect, test } from "vitest";
import { type Assembly, assembleContext } from "../../src/index.ts";
import { exampleHit, exampleInput } from "./example-input.ts";
import { windowOf } from "./example-outcome.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, line) => `The module ${line} was compiled in 12 ms.`).join("\n");

/** A run of so many calls, most of which have a long result. */
function run(calls: number): readonly ChatMessage[] {
  const steps = Array.from({ length: calls }, (_, number): readonly ChatMessage[] => [
    {
      role: "assistant",
      tool_calls: [{ id: `c${number}`, type: "function", function: { name: "build", arguments: `{"n":${number}}` } }],
    },
    { role: "tool", tool_call_id: `c${number}`, content: `${number} begins\n${lines(10 + ((number * 37) % 150))}` },
  ]);
  return [{ role: "user", content: "Why is the build red?" }, ...steps.flat()];
}

/** More than there is ever room for. */
const hits = Array.from({ length: 400 }, (_, number) =>
  exampleHit(number, `The build ${number} was red for a reason that nobody wrote down. ${"word ".repeat(30)}`, {
    score: 1 - number / 1_000,
  }),
);

const historyTokens = 20_000;

function contextOf(calls: number): Assembly {
  return assembleContext({
    ...exampleInput({ messages: run(calls) }),
    plan: windowOf({ sections: { history: historyTokens } }),
    query: undefined,
    recall: { hits, dropped: [], degraded: [] },
  });
}

test("what is shown of a run with long results begins as before, but once in a step", () => {
  const calls = Array.from({ length: 60 }, (_, number) => number + 20);
  let shortened = 0;
  let changed = 0;
  let before: Assembly | undefined;
  for (const count of calls) {
    const context = contextOf(count);
    expect(context.usage.messagesTokens).toBeLessThanOrEqual(context.usage.budgetTokens);
    shortened += context.receipt.items.filter(
      ({ outcome, kind }) => outcome === "shortened" && kind === "message",
    ).length;
    const beginning = context.messages.slice(0, before?.messages.length ?? 0);
    if (before !== undefined && JSON.stringify(beginning) !== JSON.stringify(before.messages)) changed++;
    before = context;
  }
  expect(shortened).toBeGreaterThan(calls.length);
  // A call adds some 900 tokens; a step is more than half of an eighth of what there is.
  expect(changed).toBeLessThan(calls.length / 2);
});
