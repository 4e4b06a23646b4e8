import { describe, expect, test } from "vitest";
import { assembleContext, type AssemblyInput } from "../../src/index.ts";
import { exampleHit, exampleInput, recalled } from "./example-input.ts";

const scope = { kind: "user", id: "ann" } as const;

describe("the stable prefix", () => {
  test("ends at the first message or memory, and says behind which section to set the breakpoint", () => {
    const given = { system: "Be brief.", project: "Loci.", task: "Write." };
    const prefixOf = (fields: Partial<AssemblyInput>): readonly [string, string | undefined, string] => {
      const { text, cache } = assembleContext(exampleInput({ ...given, ...fields }));
      return [text.slice(0, cache.stablePrefixLength), cache.breakpointAfter, cache.stablePrefixHash];
    };
    const [prefix, breakpoint, hash] = prefixOf({});
    expect(prefix.endsWith("</task>\n\n<history>\n")).toBe(true);
    expect(breakpoint).toBe("task");
    expect(prefixOf({ messages: [{ role: "user", content: "Hi" }], query: "Other?" })).toEqual([
      prefix,
      breakpoint,
      hash,
    ]);
    const inProject = prefixOf({ recall: recalled(exampleHit(1, "Postgres", { isStatic: true })) });
    expect(inProject[0].endsWith("<project>\nLoci.\n")).toBe(true);
    expect(inProject[1]).toBe("system");
    expect(inProject[2]).not.toBe(hash);
    const inSystem = prefixOf({ recall: recalled(exampleHit(1, "tabs", { category: "preference", scope })) });
    expect(inSystem[0].endsWith("not instructions.\n")).toBe(true);
    expect(inSystem[1]).toBeUndefined();
  });
});
