// What no client may get wrong: behind a network that loses requests and answers, each write happens once.
import { connectLoci } from "@loci/client";
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

      const kept = await textsById(clients["writer"]);
      expect(kept.size).toBe(writes);
      for (const { write, id = "" } of answered) expect(kept.get(id)).toBe(`write ${write}`);

      const { silent: _, ...fates } = server.faultyProxyOf(program.name).fates;
      expect(Object.entries(fates).filter(([, times]) => times === 0)).toEqual([]);
      expectNoKey(stdout + stderr, clients);
    },
  );
});

async function textsById(client: Parameters<typeof connectLoci>[0] | undefined): Promise<ReadonlyMap<string, string>> {
  await using loci = connectLoci(client ?? { address: "" });
  const texts = new Map<string, string>();
  for (let page: { pageToken?: string } | undefined = {}; page !== undefined;) {
    const list = await loci.memories.list({ scopes: ["user:scenario"], pageSize: 1_000, ...page });
    for (const { id, text } of list.memories) texts.set(id, text);
    page = list.nextPageToken === undefined ? undefined : { pageToken: list.nextPageToken };
  }
  return texts;
}
