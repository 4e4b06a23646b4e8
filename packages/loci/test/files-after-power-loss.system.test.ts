import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Memory, openLoci } from "@loci/loci";
import type { Fate } from "@loci/store/conformance";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseSystemCalls, type SystemCall } from "./system-calls.ts";
import { TracedDisk, tracedCalls } from "./traced-disk.ts";

/** More in the nightly run. */
const failures = Number(process.env["LOCI_POWER_FAILURES_OF_A_PROGRAM"] ?? 3);
const canTrace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;
if (!canTrace) console.error("SKIPPED: what is left when the power fails, which needs strace and the right to use it.");

type Index = "embedded" | "lancedb";

let parent: string;
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), "loci-traced-")));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** What the program had said by some moment. */
interface Told {
  readonly remembered?: string;
  readonly text?: string;
  readonly forgetting?: string;
  readonly forgotten?: string;
}

async function tracedCallsOf(root: string, index: Index): Promise<readonly SystemCall[]> {
  const trace = join(parent, "trace");
  const program = join(import.meta.dirname, "programs", "remember-on-a-failing-disk.ts");
  const watched = tracedCalls.map((name) => `?${name}`).join(",");
  const options = [
    "-f",
    "-qq",
    "-y",
    "-xx",
    "-s",
    "4000000",
    "-e",
    "signal=none",
    "-e",
    `trace=${watched}`,
    "-o",
    trace,
  ];
  const command = [process.execPath, "--no-warnings", "--conditions=@loci/source", program, join(root, "data"), index];
  const env = { ...process.env, UV_USE_IO_URING: "0" };
  const ended = await promisify(execFile)("strace", [...options, ...command, "30"], { env }).then(
    () => undefined,
    (error: { readonly signal?: string }) => error.signal,
  );
  // The program ends by killing itself.
  expect(ended).toBe("SIGKILL");
  return parseSystemCalls(await readFile(trace, "latin1"));
}

/** Everything that nobody waited for is lost, or any part of it. */
const fates: readonly (readonly [string, () => Fate])[] = [
  ["lost", () => () => "lost"],
  ["kept or lost", () => () => (Math.random() < 0.5 ? "kept" : "lost")],
  ["kept, lost or zeros", () => () => (["kept", "lost", "zeroed"] as const)[Math.floor(Math.random() * 3)] ?? "lost"],
];

describe.skipIf(!canTrace)("when the power fails", () => {
  test.each(["embedded", "lancedb"] as const)(
    "what was acknowledged is in the ledger and is found by the index, with %s",
    async (index) => {
      const root = join(parent, "root");
      await mkdir(root);
      const calls = await tracedCallsOf(root, index);
      const lines = calls.filter(isTold).length;
      expect(lines).toBeGreaterThan(30);
      const traced = new TracedDisk(root);
      const told: Told[] = [];
      const faulty: unknown[] = [];
      const isDue = new Set(
        Array.from({ length: failures }, (_, failure) => Math.floor(((failure + Math.random()) * lines) / failures)),
      );
      let failed = 0;
      for (const call of calls) {
        if (isTold(call)) {
          told.push(...toldBy(call));
          if (isDue.has(told.length - 1)) {
            const [fate, begin] = fates[failed++ % fates.length] ?? ["lost", () => () => "lost" as const];
            const faults = await faultsOf(await restored(traced, root, begin()), index, told);
            if (faults.length > 0) faulty.push({ fate, lines: told.length, faults });
          }
        } else traced.apply(call);
      }
      expect(faulty).toEqual([]);
      expect(failed).toBe(isDue.size);
    },
    600_000,
  );
});

const isTold = ({ name, values: [file, text] }: SystemCall): boolean =>
  name === "write" && String(file).startsWith("1<") && String(text).startsWith("{");

function toldBy({ values: [, text] }: SystemCall): readonly Told[] {
  return String(text)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Told);
}

let restorations = 0;

async function restored({ disk }: TracedDisk, root: string, fate: Fate): Promise<string> {
  const directory = join(parent, `found-${++restorations}`);
  for (const { path, bytes } of disk.found(fate)) {
    const place = join(directory, path.slice(root.length));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, bytes);
  }
  return join(directory, "data");
}

/** What is not as it was promised to the program. */
async function faultsOf(dataDirectory: string, index: Index, told: readonly Told[]): Promise<readonly string[]> {
  const scope = "user:alice";
  const faults: string[] = [];
  await using loci = await openLoci({ tenant: "acme", dataDirectory, index });
  const stored: Memory[] = [];
  for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
    const page = await loci.memories.list({ scopes: [scope], pageSize: 100, pageToken });
    stored.push(...page.memories);
    pageToken = page.nextPageToken;
  }
  const textById = new Map(stored.map(({ id, text }) => [String(id), text]));
  const touched = new Set(told.flatMap(({ forgetting = "", forgotten = "" }) => [forgetting, forgotten]));
  const kept = told.filter(({ remembered = "" }) => remembered !== "" && !touched.has(remembered));
  for (const { remembered = "", text = "" } of kept)
    if (textById.get(remembered) !== text) faults.push(`not stored: ${text}`);
  for (const { forgotten = "" } of told) if (textById.has(forgotten)) faults.push(`not forgotten: ${forgotten}`);
  const search = async (when: string): Promise<void> => {
    for (const { remembered, text = "" } of kept.slice(-4)) {
      const { hits } = await loci.recall({ query: text, scopes: [scope], limit: 5 });
      if (!hits.some(({ memory }) => memory.id === remembered)) faults.push(`not found ${when}: ${text}`);
    }
  };
  await search("at once");
  await loci.settled();
  await search("when all is applied");
  const { findings } = await loci.maintenance.verify();
  return [...faults, ...findings.map((finding) => JSON.stringify(finding))];
}
