// Prints what one program answers, as it is compared: `print.ts typescript`.
import { canonicalForm } from "./canonical-form.ts";
import { expandScenario } from "./expanded-scenario.ts";
import { replayPrograms, scenarioFile } from "./replay-programs.ts";
import { runReplay } from "./run-replay.ts";
import { environmentNames } from "./scenario-clients.ts";
import { startScenarioServer } from "./scenario-server.ts";
import { readSteps } from "./scenario-step.ts";

const programs = replayPrograms();
const program = programs.find(({ name }) => name === process.argv[2]);
if (program === undefined) throw new Error(`Say which program: ${programs.map(({ name }) => name).join(", ")}.`);
if (program.missing !== undefined) throw new Error(program.missing);
await using server = await startScenarioServer([program.name]);
using scenario = expandScenario(scenarioFile);
const { stdout } = await runReplay(program, {
  [environmentNames.file]: scenario.file,
  [environmentNames.clients]: JSON.stringify(server.clientsOf(program.name)),
});
console.log(canonicalForm(stdout, readSteps(scenario.file)).join("\n"));
