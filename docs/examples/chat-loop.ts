import { createInterface } from "node:readline";
import { type ChatMessage, connectLocalLoci } from "@loci/client";

/** Your model. */
const model = async (messages: readonly ChatMessage[]): Promise<string> => `I was shown ${messages.length} messages.`;

await using loci = connectLocalLoci(); // the server that has LOCI_DATA_DIR open, with the key it keeps there
const key = { scope: "user:ann", id: "ann-monday" } as const;
let { lastTurn } = await loci.sessions.create({ ...key, title: "Travels" });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = { expectedLast: lastTurn, turns: [{ role: "user", content: line }] } as const;
  const system = "You help Ann with her travels.";
  const context = { system, recall: { scopes: ["user:ann"] }, memoryDates: true } as const;
  const { context: shown, appended } = await loci.sessions.appendAndAssemble(key, asked, context);
  const answer = await model(shown.messages);
  console.log(answer);
  const said = { expectedLast: appended.lastTurn, turns: [{ role: "assistant", content: answer }] } as const;
  ({ lastTurn } = await loci.sessions.append(key, said));
}
await loci.sessions.close(key); // from now on memories are made of it
