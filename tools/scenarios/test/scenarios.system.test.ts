import { errorReasons } from "@loci/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalForm } from "../src/canonical-form.ts";
import { expandScenario, type ExpandedScenario } from "../src/expanded-scenario.ts";
import { replayPrograms, type ReplayProgram, scenarioFile } from "../src/replay-programs.ts";
import { programMilliseconds, runReplay } from "../src/run-replay.ts";
import { environmentNames } from "../src/scenario-clients.ts";
import { expectNoKey } from "./expect-no-key.ts";
import { type ScenarioServer, startScenarioServer } from "../src/scenario-server.ts";
import { readSteps, type ScenarioStep } from "../src/scenario-step.ts";

const [reference, ...others] = replayPrograms() as [ReplayProgram, ...ReplayProgram[]];

let scenario: ExpandedScenario;
let steps: readonly ScenarioStep[];
let server: ScenarioServer;
/** What each program answered. They run at the same time, as they mostly wait. */
let outputs: ReadonlyMap<string, Promise<readonly string[]>>;
let expected: readonly string[];

beforeAll(async () => {
  scenario = expandScenario(scenarioFile);
  steps = readSteps(scenario.file);
  const programs = [reference, { ...reference, name: "again" }, ...others];
  server = await startScenarioServer(programs.map(({ name }) => name));
  const able = programs.filter(({ missing }) => missing === undefined);
  outputs = new Map(able.map((program) => [program.name, linesOf(program)]));
  await Promise.allSettled(outputs.values());
  expected = await answersOf(reference.name);
}, programMilliseconds);

afterAll(async () => {
  scenario[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

test("TypeScript answers the same a second time, so that only what differs between clients is seen", async () => {
  expect(differences(await answersOf("again"))).toEqual([]);
});

test("every error code is answered somewhere", () => {
  const answered = new Set(
    Array.from(expected.join("\n").matchAll(/^\{"error":\{.*?"code":"(\w+)"/gm), ([, code]) => code),
  );
  expect([...new Set(Object.values(errorReasons))].filter((code) => !answered.has(code))).toEqual([]);
});

test("every field that an error names is a path of the contract", () => {
  const fields = Array.from(
    expected.join("\n").matchAll(/^\{"error":\{.*?"field":"([^"]+)"/gm),
    ([, field = ""]) => field,
  );
  expect(fields.length).toBeGreaterThan(30);
  // The turn state is JSON, whose names are the same in every language.
  const path = /^(?:sessionId|[a-z_]+(?:\[\d+\])*(?:\.[a-z_]+(?:\[\d+\])*)*)$/;
  expect(fields.filter((field) => !path.test(field))).toEqual([]);
});

describe.each(others)("$name", (program) => {
  const reason = program.missing === undefined ? "" : ` (skipped: ${program.missing})`;
  test.skipIf(program.missing !== undefined)(
    `it answers every step as TypeScript does, byte for byte${reason}`,
    { timeout: programMilliseconds },
    async () => {
      expect(differences(await answersOf(program.name))).toEqual([]);
    },
  );
});

function answersOf(program: string): Promise<readonly string[]> {
  return outputs.get(program) ?? Promise.reject(new Error(`${program} was not run`));
}

async function linesOf(program: ReplayProgram): Promise<readonly string[]> {
  const clients = server.clientsOf(program.name);
  const { stdout, stderr } = await runReplay(program, {
    [environmentNames.file]: scenario.file,
    [environmentNames.clients]: JSON.stringify(clients),
  });
  expectNoKey(stdout + stderr, clients);
  return canonicalForm(stdout, steps);
}

/** What a program answered otherwise, with some text around the first difference: lines may have a mebibyte. */
function differences(lines: readonly string[]): readonly { readonly expected: string; readonly answered: string }[] {
  return expected.flatMap((line, index) => {
    const answered = lines[index] ?? "";
    if (answered === line) return [];
    const first = Array.from(line).findIndex((_, position) => line[position] !== answered[position]);
    const shown = (text: string): string =>
      `${steps[index]?.step}: …${text.slice(Math.max(0, first - 120), Math.max(0, first) + 240)}`;
    return [{ expected: shown(line), answered: shown(answered) }];
  });
}
