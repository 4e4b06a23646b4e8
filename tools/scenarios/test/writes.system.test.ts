// What no client may get wrong: behind a network that loses requests and answers, each write happens once.
import { connectLoci, type ConnectOptions, type Memory } from "@loci/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replayPrograms } from "../src/replay-programs.ts";
import { programMilliseconds, runReplay } from "../src/run-replay.ts";
import { environmentNames } from "../src/scenario-clients.ts";
import { type ScenarioServer, startScenarioServer } from "../src/scenario-server.ts";
import { expectNoKey } from "./expect-no-key.ts";

/** How many memories each program writes. Every night it is 1,000. */
const writes = Number(process.env["LOCI_WRITES_BEHIND_PROXY"] ?? 100);

const programs = replayPrograms();
let server: ScenarioServer;

beforeAll(async () => {
  server = await startScenarioServer(programs.map(({ name }) => name));
});

afterAll(() => server[Symbol.asyncDispose]());

describe.each(programs)("$name", (program) => {
  const reason = program.missing === undefined ? "" : ` (skipped: ${program.missing})`;
  test.skipIf(program.missing !== undefined)(
    `${writes} writes behind the faulty proxy happen once each${reason}`,
    { timeout: programMilliseconds },
    async () => {
      const clients = server.clientsOf(program.name);
      const { stdout, stderr } = await runReplay(program, {
        [environmentNames.clients]: JSON.stringify(clients),
        [environmentNames.writes]: String(writes),
      });
      const answered = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly write: number; readonly id?: string; readonly error?: unknown });
      expect(answered.filter(({ error }) => error !== undefined)).toEqual([]);
      expect(new Set(answered.map(({ write }) => write)).size).toBe(writes);

      const kept = await memoriesById(clients["writer"]);
      expect(kept.size).toBe(writes);
      // The same text said a second time would be the same memory, in a second version.
      for (const { write, id = "" } of answered)
        expect(kept.get(id)).toMatchObject({ text: `write ${write}`, version: 1 });

      const { refused, delayed, ...dropped } = server.faultyProxyOf(program.name).fates;
      const met = { refused, delayed, "dropped-before": dropped["dropped-before"] };
      // What is left of a few writes behind those may not take as long as the next one lives.
      const all = writes < 1_000 ? met : { ...met, "dropped-after": dropped["dropped-after"] };
      expect(Object.entries(all).filter(([, times]) => times === 0)).toEqual([]);
      expectNoKey(stdout + stderr, clients);
    },
  );
});

async function memoriesById(client: ConnectOptions | undefined): Promise<ReadonlyMap<string, Memory>> {
  await using loci = connectLoci(client ?? { address: "" });
  const kept = new Map<string, Memory>();
  for (let page: { pageToken?: string } | undefined = {}; page !== undefined;) {
    const list = await loci.memories.list({ scopes: ["user:scenario"], pageSize: 1_000, ...page });
    for (const memory of list.memories) kept.set(memory.id, memory);
    page = list.nextPageToken === undefined ? undefined : { pageToken: list.nextPageToken };
  }
  return kept;
}
