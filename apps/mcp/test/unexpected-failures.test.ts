import { LociError } from "@loci/loci";
import { describe, expect, test } from "vitest";
import { readLoci } from "../src/connection/read-loci.ts";
import { RecentReceipts } from "../src/resources/recent-receipts.ts";
import { runTool, type ToolEnvironment } from "../src/tools/tool-environment.ts";

const unexpected = new TypeError("no text is here");
const expected = new LociError("MEMORY_NOT_FOUND", { message: "There is no such memory." });

function failingWith(failure: Error): { readonly environment: ToolEnvironment; readonly heard: unknown[] } {
  const heard: unknown[] = [];
  const environment: ToolEnvironment = {
    connection: { run: () => Promise.reject(failure) },
    scopes: ["user:ann"],
    principal: "tester",
    secret: new Uint8Array(32),
    receipts: new RecentReceipts(),
    onUnexpected: (error) => heard.push(error),
  };
  return { environment, heard };
}

describe.each([
  ["a tool", (environment: ToolEnvironment): Promise<unknown> => runTool(environment, async () => ({ content: [] }))],
  ["a reading", (environment: ToolEnvironment): Promise<unknown> => readLoci(environment, async () => undefined)],
])("%s", (_, run) => {
  test("that fails unexpectedly is heard of, and its caller is not told why", async () => {
    const { environment, heard } = failingWith(unexpected);
    const told = await run(environment).catch((error: unknown) => error);
    expect(heard).toEqual([unexpected]);
    expect(`${String(told)} ${JSON.stringify(told)}`).toMatch(/failed unexpectedly(?!.*no text)/);
  });

  test("that Loci refuses is the caller's alone", async () => {
    const { environment, heard } = failingWith(expected);
    await run(environment).catch(() => undefined);
    expect(heard).toEqual([]);
  });
});
