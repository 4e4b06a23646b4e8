// Makes the calls of a scenario file, one after the other, and prints a line for each: the program that the clients of other
// languages are compared with.
import type { JsonValue } from "@bufbuild/protobuf";
import { inContractWords } from "@loci/api";
import { connectLoci, type Loci, LociError } from "@loci/client";
import { RemoteOperations } from "./remote-operations.ts";
import { type CalledLoci, replayStep } from "./replay-step.ts";
import { environmentNames, type ScenarioClients } from "./scenario-clients.ts";
import { readSteps, type ScenarioStep } from "./scenario-step.ts";
import { withReferences } from "./step-references.ts";

const writesAtOnce = 8;

const clients = JSON.parse(process.env[environmentNames.clients] ?? "{}") as ScenarioClients;
const writes = process.env[environmentNames.writes];

await (writes === undefined ? replay(process.env[environmentNames.file] ?? "") : write(Number(writes)));

async function replay(file: string): Promise<void> {
  const connections = new Map<string, CalledLoci & { readonly operations: RemoteOperations }>();
  for (const [name, client] of Object.entries(clients))
    connections.set(name, { loci: connectLoci(client), operations: new RemoteOperations(client) });
  const lines = new Map<string, JsonValue>();
  for (const step of readSteps(file)) {
    const line = { step: step.step, ...(await outcomeOf(step, connections, lines)) };
    lines.set(step.step, line);
    print(line);
  }
  for (const { loci, operations } of connections.values()) {
    operations.close();
    await loci.close();
  }
}

async function outcomeOf(
  step: ScenarioStep,
  connections: ReadonlyMap<string, CalledLoci>,
  lines: ReadonlyMap<string, JsonValue>,
): Promise<object> {
  const name = step.client ?? "writer";
  const called = connections.get(name);
  if (called === undefined)
    throw new Error(`${step.step} is called by ${name}, which ${environmentNames.clients} lacks`);
  const request = withReferences(step.request, lines);
  try {
    return await replayStep({ ...step, request }, called);
  } catch (error) {
    if (LociError.is(error)) return { error: { ...error.toJSON(), ...inContractWords(error, `/${step.call}`) } };
    throw new Error(`${step.step} failed in the replay itself`, { cause: error });
  }
}

async function write(count: number): Promise<void> {
  const client = clients["faulty"];
  if (client === undefined) throw new Error(`${environmentNames.clients} lacks the client "faulty"`);
  await using loci = connectLoci(client);
  let next = 0;
  const writeOn = async (): Promise<void> => {
    while (next < count) await writeOne(loci, next++);
  };
  await Promise.all(Array.from({ length: writesAtOnce }, writeOn));
}

async function writeOne(loci: Loci, index: number): Promise<void> {
  try {
    const { id } = await loci.memories.remember({ text: `write ${index}`, scope: "user:scenario" });
    print({ write: index, id });
  } catch (error) {
    if (!LociError.is(error)) throw error;
    print({ write: index, error: error.toJSON() });
  }
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
