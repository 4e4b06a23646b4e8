// Remembers this project's own documents and talks, assembles a context for a question about them, and explains it.
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { importConversations, importMarkdown } from "@loci/file-import";
import { connectLoci } from "@loci/client";
import {
  type AssembledContext,
  type AssembleRequest,
  defaultIndex,
  formatReceipt,
  type Loci,
  LociError,
  openLoci,
} from "@loci/loci";
import { defaultConfiguration, startServer } from "@loci/server";
import { demoIndex } from "./demo-index.ts";
import { StepClock } from "./step-clock.ts";

const root = join(import.meta.dirname, "../..");
const dataDirectory = join(root, ".loci/demo");
const scope = "project:loci";
const question = "Why is the vector store not our database, and what did Jonas see when he killed the process?";

const { values } = parseArgs({ options: { store: { type: "string" } } });
await using index = await demoIndex(values.store);

const clock = new StepClock();
const loci = await clock
  .time("open", () => openLoci({ tenant: "local", dataDirectory, index: index.choice }))
  .catch((error: unknown) => {
    if (!LociError.is(error) || error.reason !== "DATA_DIRECTORY_LOCKED") throw error;
    console.error(
      `${error.message}\nStop the server that serves it (npm start, npx loci serve), then run the demo again.`,
    );
    process.exit(1);
  });

const documents = await clock.time("import documents", () =>
  importMarkdown(loci, { paths: [join(root, "docs/decisions"), join(root, "README.md")], scope, root }),
);
const conversation = await clock.time("import conversation", () =>
  importConversations(loci, { file: join(root, "docs/conversations/building-loci.jsonl"), scope }),
);
await clock.time("indexes catch up", () => loci.settled());

const request: AssembleRequest = {
  model: "gpt-4o",
  window: { scaleTo: 4096 },
  system: "You are the assistant of the Loci team. Answer from the retrieved context and cite your sources.",
  project: "Loci: memory and context for AI agents. A TypeScript monorepo.",
  task: "Help a new colleague understand why things are as they are.",
  messages: [
    { role: "user", content: "Hi, I started this week. Where do I find why you chose things?" },
    { role: "assistant", content: "In docs/decisions. Ask me anything, I remember the talks as well." },
    { role: "user", content: question },
  ],
  query: question,
  recall: { scopes: [scope] },
  evaluationTime: Date.now(),
  explain: true,
};
const first = await clock.time("assemble", () => loci.assemble(request));
const second = await clock.time("assemble again", () => loci.assemble(request));
await loci.close();
const remote = await clock.time("assemble over gRPC", () => overGrpc((connected) => connected.assemble(request)));

print("The context, as the model gets it", first.text);
print("The receipt", formatReceipt(first));
print(
  "What happened",
  [
    `documents      ${documents.files} files: ${documents.added} new, ${documents.changed} changed, ${documents.unchanged} unchanged memories`,
    `conversation   ${conversation.added} new, ${conversation.unchanged} unchanged turns`,
    "",
    ...clock.lines(),
    ...Object.entries(first.timings).map(([step, milliseconds]) => StepClock.line(`  assemble: ${step}`, milliseconds)),
  ].join("\n"),
);

const digests = [first, second, remote].map((context) => digest({ ...context, timings: undefined }));
const identical = new Set(digests).size === 1;
print(
  "Deterministic",
  identical
    ? `Twice in process and once over gRPC: contexts and receipts are byte-identical, sha256 ${digests[0]}`
    : `The contexts differ: sha256 ${digests.join(", ")}`,
);
if (!identical) process.exitCode = 1;
const data = relative(process.cwd(), dataDirectory);
// The database of the demo has ended: the first command makes indexes in the directory, from the ledger.
const indexHere = index.isInDirectory ? "" : ` --index ${defaultIndex}`;
console.log(`\nLook at what is remembered:\n  npx loci memories list --data ${data} --scope ${scope}${indexHere}`);
console.log(`  npx loci memories why "who dropped the lock?" --data ${data} --scope ${scope}`);

/** The other way in: the same directory behind a server on this machine, asked through the client. */
async function overGrpc(ask: (loci: Loci) => Promise<AssembledContext>): Promise<AssembledContext> {
  const listen = { address: "127.0.0.1", port: 0 };
  const server = await startServer({
    ...defaultConfiguration,
    listen,
    dataDirectory,
    index: index.configuration,
    logLevel: "error",
  });
  try {
    await using connected = connectLoci({ address: server.address, apiKey: server.apiKey });
    return await ask(connected);
  } finally {
    await server.close();
  }
}

function print(title: string, text: string): void {
  console.log(`\n━━ ${title} ${"━".repeat(Math.max(3, 76 - title.length))}\n\n${text}`);
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
