import type { ChatMessage } from "@loci/domain";
import { expect, test } from "vitest";
import { assembleContext, compareAssemblies, planWindow, resolveModel } from "../../src/index.ts";
import { exampleHit, exampleId, exampleInput, recalled } from "./example-input.ts";

const first: ChatMessage = { role: "user", content: "Where does it run?" };
const second: ChatMessage = { role: "assistant", content: "In Frankfurt." };

test("an assembly does not differ from itself", () => {
  const context = assembleContext(exampleInput({ system: "Be brief.", messages: [first] }));
  expect(compareAssemblies(context, context)).toEqual({
    added: [],
    removed: [],
    moved: [],
    resized: [],
    keptItems: 2,
    addedTokens: 0,
    removedTokens: 0,
    stablePrefixKept: true,
  });
});

test("says what came and went, and that the stable prefix stayed", () => {
  const before = assembleContext(
    exampleInput({ messages: [first], recall: recalled(exampleHit(1, "a"), exampleHit(2, "b")) }),
  );
  const after = assembleContext(
    exampleInput({ messages: [first, second], recall: recalled(exampleHit(2, "b"), exampleHit(3, "c")) }),
  );
  expect(compareAssemblies(before, after)).toMatchObject({
    added: ["message:1", exampleId(3)],
    removed: [exampleId(1)],
    moved: [],
    keptItems: 2,
    stablePrefixKept: true,
  });
});

test("says what moved, what was shortened, and that the stable prefix changed", () => {
  const preference = exampleHit(1, "Prefers tabs. ".repeat(30), {
    category: "preference",
    scope: { kind: "user", id: "u" },
  });
  const of = (system: string, systemTokens: number) =>
    assembleContext(
      exampleInput({
        mode: "last",
        system,
        task: "One sentence. And another one, which is longer. ".repeat(4),
        recall: recalled(preference),
        plan: planWindow({
          resolved: resolveModel(undefined),
          overrides: {
            sections: {
              system: systemTokens,
              project: 0,
              task: systemTokens === 500 ? 200 : 40,
              history: 20,
              knowledge: 200,
            },
            query: 0,
          },
        }),
      }),
    );
  const changes = compareAssemblies(of("Be brief.", 500), of("Be very brief.", 50));
  expect(changes.moved).toEqual([{ id: exampleId(1), from: "system", to: "knowledge" }]);
  expect(changes.resized).toContain("text:task");
  expect(changes.stablePrefixKept).toBe(false);
});
