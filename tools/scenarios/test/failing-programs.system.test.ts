// A program that ends in the middle shows what its language shows then: a stack, a traceback. No key may stand in it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replayPrograms } from "../src/replay-programs.ts";
import { programMilliseconds, runReplay } from "../src/run-replay.ts";
import { environmentNames } from "../src/scenario-clients.ts";
import { type ScenarioServer, startScenarioServer } from "../src/scenario-server.ts";
import { expectNoKey } from "./expect-no-key.ts";

const programs = replayPrograms();
const get = "loci.v1.MemoryService/GetMemory";
const steps = [
  { step: "fails", call: get, client: "stranger", request: { id: "x" } },
  { step: "refers-to-nothing", call: get, request: { id: "${fails:answer.memory.id}" } },
];

let server: ScenarioServer;
let folder: string;

beforeAll(async () => {
  server = await startScenarioServer(programs.map(({ name }) => name));
  folder = mkdtempSync(join(tmpdir(), "loci-failing-scenario-"));
  writeFileSync(join(folder, "scenario.jsonl"), steps.map((step) => `${JSON.stringify(step)}\n`).join(""));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
});

test.concurrent.each(programs.filter(({ missing }) => missing === undefined))(
  "$name shows no key when it fails",
  { timeout: programMilliseconds },
  async (program) => {
    const clients = server.clientsOf(program.name);
    const failure: unknown = await runReplay(program, {
      [environmentNames.file]: join(folder, "scenario.jsonl"),
      [environmentNames.clients]: JSON.stringify(clients),
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const { message } = failure as Error;
    expect(message).toContain('"step":"fails"'.slice(7, -1));
    expectNoKey(message, clients);
  },
);
