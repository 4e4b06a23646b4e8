// What takes too long for every change: properties with many more cases, kills and attempts on other tenants by the
// thousand. Ends with the figures, which come from vitest's own reports: only what passed counts.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

/**
 * @typedef {{ project: string, files?: string[], only?: string, environment?: Record<string, string>, times?: number,
 *   kills?: number }} Suite `kills`: how many a run makes whose test does not say so in its name
 * @typedef {{ testResults: { assertionResults: { status: string, title: string }[] }[] }} Report
 */

const crash = ["test/crash.system.test.ts"];
const attempts = "random attempts";
const store = { LOCI_STORE_ATTEMPTS: "3000" };
const histories = "histories of writes, upkeep and new starts";
const ledger = { LOCI_LEDGER_ATTEMPTS: "1000" };

/** @type {Suite[]} */
const suites = [
  { project: "core", environment: { LOCI_PROPERTY_RUNS: "10000" } },
  { project: "core", files: ["test/capture/mutated-replies.test.ts"], environment: { LOCI_PROPERTY_RUNS: "100000" } },
  { project: "ledger-sqlite", files: crash, environment: { LOCI_CRASH_CYCLES: "600" } },
  { project: "ledger-postgres", files: crash, environment: { LOCI_CRASH_CYCLES: "300" } },
  { project: "ledger-postgres", files: ["test/pglite-conformance.system.test.ts"], environment: { LOCI_PGLITE: "1" } },
  { project: "store-pgvector", files: ["test/graph-conformance.system.test.ts"], environment: { LOCI_GRAPH: "1" } },
  { project: "loci", files: ["test/mixed-load-crash.system.test.ts"], environment: { LOCI_MIXED_KILLS: "10" } },
  {
    project: "loci",
    files: ["test/files-after-power-loss.system.test.ts"],
    environment: { LOCI_POWER_FAILURES_OF_A_PROGRAM: "30" },
  },
  { project: "store-lancedb", files: crash, environment: { LOCI_CRASH_CYCLES: "50" } },
  { project: "store-embedded", files: crash, environment: { LOCI_CRASH_CYCLES: "100" } },
  {
    project: "replacing-modules",
    files: ["store-embedded/test/power-loss.system.test.ts"],
    environment: { LOCI_POWER_FAILURES: "500" },
  },
  { project: "store-pgvector", files: crash, environment: { LOCI_CRASH_CYCLES: "50" } },
  { project: "loci", files: crash, environment: { LOCI_CRASH_CYCLES: "100" } },
  { project: "loci", files: ["test/capture-crash.system.test.ts"], environment: { LOCI_CRASH_CYCLES: "100" } },
  { project: "loci", files: ["test/long-chat.test.ts"], environment: { LOCI_CHAT_TURNS: "10000" } },
  { project: "loci", files: ["test/block-crash.system.test.ts"], environment: { LOCI_CRASH_CYCLES: "50" } },
  { project: "server", files: ["test/moving-tenants-crash.system.test.ts"], environment: { LOCI_MOVE_KILLS: "36" } },
  { project: "benchmarks", files: ["test/tenants.system.test.ts"], environment: { LOCI_TENANTS: "100000" } },
  { project: "engine", files: ["test/cross-tenant-attempts.test.ts"], environment: { LOCI_TENANT_ATTEMPTS: "100000" } },
  { project: "engine", files: ["test/many-keys.test.ts"], environment: { LOCI_ATTACK_RUNS: "50000" } },
  { project: "engine", files: ["test/erased-stays-erased.test.ts"], environment: { LOCI_ATTACK_RUNS: "20000" } },
  {
    project: "langchain",
    files: ["test/store/random-operations.system.test.ts"],
    environment: { LOCI_STORE_OPERATIONS: "10000" },
  },
  { project: "anthropic", environment: { LOCI_MEMORY_TOOL_RUNS: "1000" } },
  {
    project: "polyglot",
    files: [
      "test/go-client.system.test.ts",
      "test/python-client.system.test.ts",
      "test/python-frameworks.system.test.ts",
    ],
    environment: {
      LOCI_GO_RACE: "1",
      LOCI_MEMORY_TOOL_RUNS: "300",
      LOCI_EVERY_CONVERSATION: "1",
      LOCI_TYPES_OF_ADAPTERS: "1",
    },
  },
  ...["store-memory", "store-embedded", "store-lancedb", "store-pgvector", "store-pinecone"].map((project) => ({
    project,
    only: attempts,
    environment: store,
  })),
  ...["store-embedded", "store-lancedb", "store-pgvector"].map((project) => ({
    project,
    only: histories,
    environment: { LOCI_STORE_HISTORIES: "200" },
  })),
  { project: "scenarios", files: ["test/writes.system.test.ts"], environment: { LOCI_WRITES_BEHIND_PROXY: "1000" } },
  { project: "ledger-sqlite", only: attempts, environment: ledger },
  { project: "benchmarks", files: ["test/load-faults.system.test.ts"], environment: { LOCI_FAULT_SECONDS: "1800" } },
  {
    project: "browser",
    environment: { LOCI_BROWSER_ROWS: "230000", LOCI_HOSTILE_STRINGS: "300", LOCI_EVERY_LOOK: "1" },
  },
  { project: "site", environment: { LOCI_SITE: "1" } },
  { project: "packaging", environment: { LOCI_PACKAGES_EVERYWHERE: "1" } },
  // PGlite is too slow for as many.
  { project: "ledger-postgres", files: ["test/conformance.test.ts"], only: attempts, environment: ledger },
];

const wanted = { kills: 1_000, attempts: 100_000 };
const figures = { kills: 0, attempts: 0 };
const counts = { passed: 0, failed: 0 };
let failed = 0;
const started = performance.now();
mkdirSync(".ci/out", { recursive: true });
// So that one suite can be tried: npm run test:nightly -- store-lancedb
const chosen = process.argv.slice(2);
for (const suite of suites)
  if (chosen.length === 0 || chosen.includes(suite.project))
    for (let run = 0; run < (suite.times ?? 1); run++) runSuite(suite);

console.log(`${figures.kills} kills survived with nothing acknowledged lost`);
console.log(`${figures.attempts} random attempts on other tenants and scopes, none of which saw or changed anything`);
console.log(`${Math.round((performance.now() - started) / 60_000)} minutes`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
const short = chosen.length === 0 && (figures.kills < wanted.kills || figures.attempts < wanted.attempts);
if (short) console.log(`That is less than the ${wanted.kills} kills and ${wanted.attempts} attempts there should be.`);
process.exitCode = failed > 0 || short ? 1 : 0;

/** @param {Suite} suite */
function runSuite({ project, files = [], only, environment = {}, kills = 0 }) {
  const report = ".ci/out/nightly.json";
  rmSync(report, { force: true });
  const limits = ["--testTimeout=7200000", "--hookTimeout=7200000"];
  const choice = [...files, "--project", project, ...(only === undefined ? [] : ["-t", only])];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { status } = spawnSync("vitest", ["run", ...choice, ...limits, ...reporters], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...environment },
  });
  if (status !== 0) failed++;
  const tests = testsIn(report);
  const passed = tests.filter((test) => test.status === "passed");
  counts.passed += passed.length;
  counts.failed += tests.filter((test) => test.status === "failed").length;
  for (const { title } of passed) {
    figures.kills += Number(/(\d+) kills/.exec(title)?.[1] ?? kills);
    figures.attempts += Number(/(\d+) random attempts/.exec(title)?.[1] ?? 0);
  }
}

/** @param {string} file @returns {{ status: string, title: string }[]} */
function testsIn(file) {
  try {
    const report = /** @type {Report} */ (JSON.parse(readFileSync(file, "utf8")));
    return report.testResults.flatMap(({ assertionResults }) => assertionResults);
  } catch (error) {
    console.log(`no test report: ${String(error)}`);
    failed++;
    return [];
  }
}
