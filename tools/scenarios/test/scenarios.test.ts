import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalForm } from "../src/canonical-form.ts";
import { replayPrograms, type ReplayProgram, scenarioFile } from "../src/replay-programs.ts";
import { programMilliseconds, runReplay } from "../src/run-replay.ts";
import { environmentNames } from "../src/scenario-clients.ts";
import { type ScenarioServer, startScenarioServer } from "../src/scenario-server.ts";
import { readSteps } from "../src/scenario-step.ts";

const steps = readSteps(scenarioFile);
const [reference, ...others] = replayPrograms() as [ReplayProgram, ...ReplayProgram[]];

let server: ScenarioServer;
let expected: readonly string[];

beforeAll(async () => {
  server = await startScenarioServer([...[reference, ...others].map(({ name }) => name), "again"]);
  expected = await linesOf(reference);
}, programMilliseconds);

afterAll(() => server[Symbol.asyncDispose]());

test("TypeScript answers the same a second time", { timeout: programMilliseconds }, async () => {
  expect((await linesOf({ ...reference, name: "again" })).join("\n")).toBe(expected.join("\n"));
});

describe.each(others)("$name", (program) => {
  const reason = program.missing === undefined ? "" : ` (skipped: ${program.missing})`;
  test.skipIf(program.missing !== undefined)(
    `it answers every step as TypeScript does${reason}`,
    { timeout: programMilliseconds },
    async () => {
      expect((await linesOf(program)).join("\n")).toBe(expected.join("\n"));
    },
  );
});

test("nothing is answered with an error of the clients' own", () => {
  expect(expected.filter((line) => line.includes('"reason":"INTERNAL"'))).toEqual([]);
});

async function linesOf(program: ReplayProgram): Promise<readonly string[]> {
  const output = await runReplay(program, {
    [environmentNames.file]: scenarioFile,
    [environmentNames.clients]: JSON.stringify(server.clientsOf(program.name)),
  });
  return canonicalForm(output, steps);
}
