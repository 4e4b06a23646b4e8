import { expect, test } from "vitest";
import { parseMemoryKey } from "../src/index.ts";

test("a whole memory is told apart from a misspelt key", () => {
  const memory = { id: "01a22bd5-4481-77fb-bc89-d0caabe80ea9", scope: "user:ann", text: "Ann likes tea." } as never;
  expect(() => parseMemoryKey(memory)).toThrow(
    expect.objectContaining({ reason: "INVALID_REQUEST", advice: expect.stringContaining("Pass the memory's id") }),
  );
  expect(() => parseMemoryKey({ scope: "user:ann", kye: "theme" } as never)).toThrow(/unknown field "kye"/);
  expect(parseMemoryKey({ scope: "user:ann", key: "theme" })).toEqual({
    scope: { kind: "user", id: "ann" },
    key: "theme",
  });
});
