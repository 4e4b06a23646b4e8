import type { Instant, JobsStatus, LociStatus, ProjectionStatus } from "@loci/loci";
import { counted } from "./format-text.ts";
import { printLine } from "./terminal.ts";

const nameWidth = 18;

/** How Loci is, a line for each thing. */
export function printStatus({ ledger, projections, jobs, embeddingCache }: LociStatus, now: Instant): void {
  const { sequence, recordedAt, memories, kept, scopes, bytes } = ledger;
  const changed = recordedAt === undefined ? "nothing was ever stored" : `last change ${ago(recordedAt, now)}`;
  row("ledger", `sequence ${number(sequence)}, ${changed}`);
  row(
    "memories",
    `${number(memories)} in ${counted(scopes, "scope")}; ${number(kept - memories)} forgotten or waiting`,
  );
  if (bytes !== undefined) row("size", `${size(bytes)}, of every tenant`);
  for (const projection of projections) row(projection.name, progress(projection, now));
  if (jobs.length === 0) row("jobs", "none");
  for (const ofKind of jobs) row(`jobs: ${ofKind.kind}`, amounts(ofKind));
  // A command that opens the directory itself has not asked for any.
  if (embeddingCache === undefined || embeddingCache.requested === 0) return;
  const { requested, memory, shared, ledger: fromLedger, embedder, failures } = embeddingCache;
  row(
    "vectors asked for",
    `${number(requested)}, of every tenant: ${number(memory)} were in memory, ${number(fromLedger)} in the ledger, ${number(shared)} being made; ${number(embedder)} were made`,
  );
  if (failures > 0) row("", `the layer in the ledger failed ${counted(failures, "time")}`);
}

function row(name: string, value: string): void {
  printLine(`${name.padEnd(nameWidth)} ${value}`);
}

function progress({ checkpoint, behind, oldest, ratePerSecond, failure }: ProjectionStatus, now: Instant): string {
  const failing =
    failure === undefined ? "" : `FAILS with ${failure.reason} since ${new Date(failure.since).toISOString()}; `;
  if (checkpoint === undefined) return `${failing}it does not answer`;
  const rate = ratePerSecond >= 0.1 ? `, ${ratePerSecond.toFixed(1)} changes a second` : "";
  if (behind === undefined || behind === 0) return `${failing}up to date at ${number(checkpoint)}${rate}`;
  const since = oldest === undefined ? "" : `, the oldest ${ago(oldest, now)}`;
  return `${failing}${counted(behind, "change")} behind at ${number(checkpoint)}${since}${rate}`;
}

function amounts({ queued, running, dead }: JobsStatus): string {
  const failed = dead === 0 ? "" : `; ${number(dead)} FAILED for good`;
  return `${number(queued)} waiting, ${number(running)} under way${failed}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

const steps = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** `3 minutes ago`. */
function ago(instant: Instant, now: Instant): string {
  const passed = Math.max(0, now - instant);
  const step = steps.find(([, length]) => passed >= length);
  return step === undefined ? "just now" : `${counted(Math.floor(passed / step[1]), step[0])} ago`;
}

/** `12.3 MB`. */
function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
