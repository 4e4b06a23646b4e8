// Holds Loci's context steps against those of other libraries, prints a table and writes the JSON and the page.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { writeResultsPage } from "../report/write-results-page.ts";
import { compareSteps } from "./compare-steps.ts";
import { langchainTrim } from "./langchain-trim.ts";
import { lociAssemble, lociTrim } from "./loci-steps.ts";
import { madeUpSession } from "./made-up-session.ts";
import { mastraTokenLimiter } from "./mastra-token-limiter.ts";
import { readRealConversations } from "./real-conversations.ts";
import { sideBySideResults } from "./side-by-side-results.ts";
import { sideBySideTable } from "./side-by-side-table.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const folder = process.env["LOCI_BENCHMARK_DATA"];
const hasData = folder !== undefined && folder !== "";
if (!hasData) console.error("SKIPPED: the real conversations, which need LOCI_BENCHMARK_DATA. Made-up ones only.");

const steps = [lociTrim, lociAssemble, langchainTrim, mastraTokenLimiter];
const budgets = [2000, 4000, 8000];
// What is compiled at the first use should not count.
await compareSteps({ steps, conversations: [madeUpSession(50)], budgets, openings: 2, runs: 20 });
const conversations = [...(hasData ? readRealConversations(folder) : []), madeUpSession(60), madeUpSession(400)];
const compared = await compareSteps({ steps, conversations, budgets, openings: 3, runs: 10 });
const results = sideBySideResults(steps, compared);
if (values.json) console.log(JSON.stringify(results));
else {
  const resultsFolder = new URL("../../results/", import.meta.url);
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(new URL("side-by-side.json", resultsFolder), `${JSON.stringify(results, null, 2)}\n`);
  writeResultsPage(resultsFolder);
  console.log(sideBySideTable(results));
  console.log("\nWritten: benchmarks/results/side-by-side.json and index.html");
}
