import type { Loci } from "@loci/loci";
import type { Client } from "@modelcontextprotocol/client";
import { expect, vi } from "vitest";

/**
 * Somebody has talked with a program; what comes of it is looked at and decided about through a model's host, over whatever it is connected by.
 *
 * @param loci the same memories
 * @param client shows forms; its scopes are `user:ann` and `project:kiln`
 * @returns the forms that the person was shown
 */
export async function reviewCaptured(loci: Loci, client: Client): Promise<readonly string[]> {
  const key = { scope: "user:ann", id: "monday" } as const;
  await loci.sessions.create({ ...key, project: "kiln" });
  const turns = ["I work at Corvid as a nurse", "our staging server runs on MariaDB 11"];
  await loci.sessions.append(key, {
    expectedLast: 0,
    turns: turns.map((content) => ({ role: "user" as const, content })),
  });
  await loci.sessions.close(key);
  await vi.waitUntil(
    async () => (await loci.captures.list({ session: key })).captures.some(({ state }) => state === "succeeded"),
    { timeout: 30_000, interval: 50 },
  );
  const shown: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    shown.push(params.message);
    return { action: "accept", content: { decision: "approve" } };
  });
  // What a tool answers is held against its schema from now on.
  await client.listTools();

  const seen = await client.callTool({ name: "view_captures", arguments: { session: "monday" } });
  expect(seen).toMatchObject({
    structuredContent: {
      captures: [
        {
          session: "monday",
          scope: "user:ann",
          statements: [
            { turn: 1, became: "remembered", text: expect.stringContaining("Corvid") },
            { turn: 2, became: "waits", reason: "APPROVAL_REQUIRED" },
          ],
        },
      ],
      waiting: [{ scope: "project:kiln", reason: "APPROVAL_REQUIRED" }],
    },
  });
  expect(JSON.stringify(seen)).not.toContain("MariaDB");

  const { waiting } = seen.structuredContent as { readonly waiting: readonly { readonly id: string }[] };
  const id = waiting[0]?.id;
  // No argument is an approval: there is none.
  const forced = await client.callTool({ name: "review", arguments: { id, decision: "approve" } });
  expect(forced).toMatchObject({ isError: true });
  expect(shown).toEqual([]);
  const decided = await client.callTool({ name: "review", arguments: { id } });
  expect(decided).toMatchObject({ structuredContent: { id, decision: "approved", waiting: 0 } });
  const recalled = await client.callTool({ name: "recall", arguments: { query: "What does staging run on?" } });
  expect(JSON.stringify(recalled)).toContain("MariaDB 11");
  expect(await client.callTool({ name: "view_captures", arguments: {} })).toMatchObject({
    structuredContent: {
      captures: [{ statements: [{}, { became: "remembered", text: expect.stringContaining("MariaDB") }] }],
      waiting: [],
    },
  });
  return shown;
}

/** What a form says that is about what was captured there. */
export const formOfCaptured: RegExp = /^Keep this memory\?[^]*MariaDB 11/;
