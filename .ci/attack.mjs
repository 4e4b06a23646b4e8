// Attacks, at length: every pattern and reader with its runs, fuzzed renderings by the hundred thousand, hostile calls by the
// thousand, random calls of many keys, and kills of processes that write, erase, move and make backups. Seeded but for the
// moments of the kills, and at most 10 minutes on a calm machine. Writes its figures, which come from vitest's own reports,
// into docs/reliability.md; `--check` leaves the file alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const document = "docs/reliability.md";
const [begin, end] = ["<!-- attack figures -->", "<!-- /attack figures -->"];

/**
 * @typedef {{ project: string, file: string, only?: string, environment?: Record<string, string> }} Suite
 */

/** What measures time, what does not, and what mostly waits for leases to end: they go on beside each other. @type {Suite[][]} */
const lanes = [
  [
    { project: "loci", file: "packages/loci/test/other-tenants-wait.test.ts" },
    { project: "linear-time", file: "tools/linear-time/test/linear-time.system.test.ts" },
  ],
  [
    { project: "core", file: "packages/core/test/assembly/fuzzed-renderings.test.ts" },
    {
      project: "engine",
      file: "packages/engine/test/many-keys.test.ts",
      environment: { LOCI_ATTACK_RUNS: "50000" },
    },
    {
      project: "engine",
      file: "packages/engine/test/erased-stays-erased.test.ts",
      environment: { LOCI_ATTACK_RUNS: "2400" },
    },
    killed("on files"),
  ],
  [killed("on PostgreSQL")],
];
const wanted = { renderings: 300_000, keyCalls: 50_000, kills: 150 };

const figures = { patterns: 0, readers: 0, renderings: 0, calls: 0, keyCalls: 0, histories: 0, kills: 0 };
const started = Date.now();
let failed = 0;
mkdirSync(".ci/out", { recursive: true });
// So that one suite can be tried: npm run test:attack -- mixed-load
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
await Promise.all(lanes.map((suites) => runLane(suites)));
const minutes = Math.ceil((Date.now() - started) / 60_000);

const sentence =
  `The last run of \`npm run test:attack\` fed ${number(figures.patterns)} regular expressions and the readers of ` +
  `${number(figures.readers)} files with growing runs of what they are made of, parsed ${number(figures.renderings)} fuzzed ` +
  `renderings back, and made ${number(figures.calls)} hostile calls of 64 kB beside another tenant's: none of them took more ` +
  `than linear time, got out of its place, or made 99 of 100 others wait longer than 50 ms. ` +
  `${number(figures.keyCalls)} random calls of 24 keys said what a plain model says, nothing came back in ` +
  `${number(figures.histories)} histories with erasures, and ${number(figures.kills)} kills under a load of writes, erasures, ` +
  `moves and backups lost nothing that was acknowledged.`;
console.log(sentence);
console.log(`${minutes} minutes`);
if (chosen.length === 0)
  for (const [name, least] of Object.entries(wanted))
    if (figures[/** @type {keyof typeof wanted} */ (name)] < least) {
      console.log(`That is less than the ${number(least)} ${name} there should be.`);
      failed++;
    }
if (failed === 0 && chosen.length === 0 && !process.argv.includes("--check")) {
  const text = readFileSync(document, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${document} has no place for the figures.`);
  writeFileSync(document, `${before}${begin}\n\n${wrapped(sentence)}\n\n${end}${after}`);
}
process.exitCode = failed > 0 ? 1 : 0;

/** Half of the kills, of one kind of ledger. @param {string} only @returns {Suite} */
function killed(only) {
  const file = "packages/loci/test/mixed-load-crash.system.test.ts";
  return { project: "loci", file, only, environment: { LOCI_MIXED_KILLS: "75" } };
}

/** @param {Suite[]} suites one after the other */
async function runLane(suites) {
  for (const suite of suites)
    if (chosen.length === 0 || chosen.some((name) => suite.file.includes(name))) await runSuite(suite);
}

/** @param {Suite} suite */
async function runSuite({ project, file, only, environment = {} }) {
  const report = `.ci/out/attack-${`${file} ${only ?? ""}`.replaceAll(/[^a-z]/gi, "-")}.json`;
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const named = only === undefined ? [] : ["--testNamePattern", only];
  const child = spawn("vitest", ["run", file, "--project", project, "--testTimeout=3600000", ...named, ...reporters], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, LOCI_ATTACK: "1", ...environment },
  });
  await once(child, "close");
  if (child.exitCode !== 0) failed++;
  for (const { title, ancestorTitles } of passedIn(report)) {
    figures.renderings += Number(/^(\d+) fuzzed renderings/.exec(title)?.[1] ?? 0);
    const [, rounds = 0, calls = 0] = /while (\d+) rounds of (\d+) hostile calls/.exec(title) ?? [];
    figures.calls += Number(rounds) * Number(calls);
    figures.keyCalls += Number(/^(\d+) calls of \d+ keys/.exec(title)?.[1] ?? 0);
    figures.histories += Number(/in (\d+) histories of \d+ calls/.exec(title)?.[1] ?? 0);
    figures.kills += Number(/^(\d+) kills/.exec(title)?.[1] ?? 0);
    if (title.startsWith("/")) figures.patterns++;
    if (
      ancestorTitles.includes("every function that goes through a text takes time linear in it") &&
      title.endsWith(".ts")
    )
      figures.readers++;
  }
}

/**
 * @typedef {{ title: string, ancestorTitles: string[], status: string }} TestCase
 * @typedef {{ testResults: { assertionResults: TestCase[] }[] }} TestReport
 */

/** @param {string} file @returns {TestCase[]} */
function passedIn(file) {
  try {
    const report = /** @type {TestReport} */ (JSON.parse(readFileSync(file, "utf8")));
    return report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === "passed"),
    );
  } catch (error) {
    console.log(`no test report: ${String(error)}`);
    failed++;
    return [];
  }
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString("en-US");
}

/** Lines of at most 120 characters, as the rest of the document. @param {string} text */
function wrapped(text) {
  let line = "";
  const lines = [];
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > 120) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
