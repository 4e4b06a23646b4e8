// Attacks with texts, at length: every pattern and reader with every run, fuzzed renderings by the hundred thousand, hostile
// calls by the thousand. Seeded, and at most 10 minutes. Writes its figures, which come from vitest's own reports, into
// docs/reliability.md; `--check` leaves the file alone.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const document = "docs/reliability.md";
const [begin, end] = ["<!-- attack figures -->", "<!-- /attack figures -->"];
const suites = [
  { project: "linear-time", file: "tools/linear-time/test/linear-time.test.ts" },
  { project: "core", file: "packages/core/test/assembly/fuzzed-renderings.test.ts" },
  { project: "loci", file: "packages/loci/test/other-tenants-wait.test.ts" },
];
const wantedRenderings = 300_000;

const figures = { patterns: 0, readers: 0, renderings: 0, calls: 0 };
const started = Date.now();
let failed = 0;
mkdirSync(".ci/out", { recursive: true });
for (const suite of suites) runSuite(suite);
const minutes = Math.ceil((Date.now() - started) / 60_000);

const sentence =
  `The last run of \`npm run test:attack\` fed ${number(figures.patterns)} regular expressions and the readers of ` +
  `${number(figures.readers)} files with growing runs of what they are made of, parsed ${number(figures.renderings)} fuzzed ` +
  `renderings back, and made ${number(figures.calls)} hostile calls of 64 kB beside another tenant's: none of them took more ` +
  `than linear time, got out of its place, or made 99 of 100 others wait longer than 50 ms.`;
console.log(sentence);
console.log(`${minutes} minutes`);
if (figures.renderings < wantedRenderings) failed++;
if (failed === 0 && !process.argv.includes("--check")) {
  const text = readFileSync(document, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${document} has no place for the figures.`);
  writeFileSync(document, `${before}${begin}\n\n${wrapped(sentence)}\n\n${end}${after}`);
}
process.exitCode = failed > 0 ? 1 : 0;

/** @param {{ project: string, file: string }} suite */
function runSuite({ project, file }) {
  const report = ".ci/out/attack.json";
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { status } = spawnSync("vitest", ["run", file, "--project", project, "--testTimeout=600000", ...reporters], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, LOCI_ATTACK: "1" },
  });
  if (status !== 0) failed++;
  for (const { title, ancestorTitles } of passedIn(report)) {
    figures.renderings += Number(/^(\d+) fuzzed renderings/.exec(title)?.[1] ?? 0);
    figures.calls += Number(/while (\d+) hostile calls/.exec(title)?.[1] ?? 0);
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
