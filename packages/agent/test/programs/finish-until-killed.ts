// Finishes runs from the one it is given on, and says the number of each that is kept, until it is killed.
import { openLoci } from "@loci/loci";
import { AgentMemory } from "../../src/index.ts";
import { saidBefore, saidInRun } from "../said-runs.ts";

const [dataDirectory = "", first = "1"] = process.argv.slice(2);
const loci = await openLoci({ tenant: "local", dataDirectory });
const conversation = { scope: "user:ann", session: "talk" } as const;
const fail = (error: Error): void => {
  throw error;
};
const memory = new AgentMemory({ loci, conversation, onError: fail });
const known = await memory.conversationOf();
for (let number = Number(first); ; number++) {
  const before = saidBefore(number);
  memory.finished({ conversation: known, position: before.length, before, turns: saidInRun(number) });
  await memory.settled();
  console.log(number);
}
