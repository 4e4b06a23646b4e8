import { type AssembleRequest, globalScope, type Loci, tenantId } from "@loci/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

describe("a task that stays the same", () => {
  let opened: TestEngine;
  beforeAll(async () => {
    opened = await TestEngine.open();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  /** Whether each of so many turns of a session warns. */
  async function warnings(
    session: string,
    turns: number,
    fields: Partial<AssembleRequest> = {},
    loci: Loci = opened.loci,
  ): Promise<readonly boolean[]> {
    const warned: boolean[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const context = await loci.assemble({
        task: "Fix the login.",
        query: `Question ${turn}`,
        recall: { scopes: [globalScope], rotation: { owner: "ann", session } },
        ...fields,
      });
      warned.push(context.warnings.some(({ reason, section }) => reason === "STALE_TASK" && section === "task"));
    }
    return warned;
  }

  const fresh = Array.from({ length: 9 }, () => false);

  test("is stale from the tenth turn on, until it changes", async () => {
    expect(await warnings("one", 11)).toEqual([...fresh, true, true]);
    expect(await warnings("one", 1, { task: "Fix the logout." })).toEqual([false]);
  });

  test("is none of another session's or tenant's", async () => {
    expect(await warnings("two", 9)).toEqual(fresh);
    expect(await warnings("three", 1)).toEqual([false]);
    const other = opened.as({ tenant: tenantId("other") });
    expect(await warnings("two", 1, {}, other)).toEqual([false]);
    expect(await warnings("two", 1, { query: "The tenth" })).toEqual([true]);
  });

  test("is not counted by asking again, without a session, or where nothing is recorded", async () => {
    expect(await warnings("four", 12, { query: "The same" })).toEqual([...fresh, false, false, false]);
    expect(await warnings("five", 12, { recordUsage: "none" })).toEqual([...fresh, false, false, false]);
    expect(await warnings("six", 12, { recall: undefined })).toEqual([...fresh, false, false, false]);
    expect(await warnings("seven", 12, { task: " " })).toEqual([...fresh, false, false, false]);
  });
});
