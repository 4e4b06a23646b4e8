import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalForm } from "../src/canonical-form.ts";
import { expandScenario, type ExpandedScenario } from "../src/expanded-scenario.ts";
import { replayPrograms, type ReplayProgram, scenarioFile } from "../src/replay-programs.ts";
import { programMilliseconds, runReplay } from "../src/run-replay.ts";
import { environmentNames } from "../src/scenario-clients.ts";
import { type ScenarioServer, startScenarioServer } from "../src/scenario-server.ts";
import { readSteps } from "../src/scenario-step.ts";

const [reference] = replayPrograms() as [ReplayProgram];
/** Names of programs whose tenants are on worker 0 and on worker 1. */
const onWorkers = [nameOn(0), nameOn(1)] as const;

let scenario: ExpandedScenario;
let whole: ScenarioServer;
let divided: ScenarioServer;

beforeAll(async () => {
  // Workers are started as this process was, which must so be able to run the sources.
  process.execArgv = ["--no-warnings", "--conditions=@loci/source"];
  scenario = expandScenario(scenarioFile);
  [whole, divided] = await Promise.all([startScenarioServer(["whole"]), startScenarioServer(onWorkers, 2)]);
}, programMilliseconds);

afterAll(async () => {
  scenario[Symbol.dispose]();
  await Promise.all([whole[Symbol.asyncDispose](), divided[Symbol.asyncDispose]()]);
});

test(
  "each of two workers answers every step as a server of one process does, byte for byte",
  { timeout: programMilliseconds },
  async () => {
    const [expected, first, second] = await Promise.all([
      answersOf(whole, "whole"),
      answersOf(divided, onWorkers[0]),
      answersOf(divided, onWorkers[1]),
    ]);
    expect(expected.length).toBeGreaterThan(200);
    expect(first).toEqual(expected);
    expect(second).toEqual(expected);
  },
);

async function answersOf(server: ScenarioServer, program: string): Promise<readonly string[]> {
  const { stdout } = await runReplay(reference, {
    [environmentNames.file]: scenario.file,
    [environmentNames.clients]: JSON.stringify(server.clientsOf(program)),
  });
  return canonicalForm(stdout, readSteps(scenario.file));
}

function nameOn(worker: number): string {
  // Where the decision on workers says that a tenant belongs.
  const weight = (tenant: string, shard: number): string =>
    createHash("sha256").update(`${tenant}\0${shard}`).digest("hex");
  for (let number = 0; ; number++) {
    const tenant = `worker-${number}`;
    if (weight(tenant, worker) > weight(tenant, 1 - worker)) return tenant;
  }
}
