import type { LociStatus } from "@loci/loci";
import { fail, type Finding, ok, warn } from "./finding.ts";

const littleLag = 1_000;

/** What a running Loci says of what follows its ledger, and of what waits to be done. */
export function statusFindings({ projections, jobs }: LociStatus): readonly Finding[] {
  const failing = projections.filter(({ failure }) => failure !== undefined);
  const behind = projections.filter(({ behind: changes = 0, failure }) => changes > littleLag && failure === undefined);
  const dead = jobs.filter((ofKind) => ofKind.dead > 0);
  const findings: Finding[] = [
    ...failing.map(({ name, failure }) =>
      fail(
        "status",
        `${name} cannot be brought up to date: ${failure?.reason}, since ${new Date(failure?.since ?? 0).toISOString()}.`,
        "The server's log says more. What was written is stored, and it goes on by itself when it can.",
      ),
    ),
    ...behind.map(({ name, behind: changes = 0, ratePerSecond }) =>
      warn(
        "status",
        `${name} is ${changes} changes behind, and takes in ${ratePerSecond.toFixed(1)} a second.`,
        "What is not in an index yet is read from the log. `loci status --watch` shows how it goes on.",
      ),
    ),
    ...dead.map(({ kind, dead: failed }) =>
      warn(
        "status",
        `${failed} ${failed === 1 ? "job" : "jobs"} of the kind ${kind} failed for good.`,
        "Of captures `loci capture list` says why. They are kept for a time, and not tried again by themselves.",
      ),
    ),
  ];
  if (findings.length > 0) return findings;
  return [ok("status", "All that follows the ledger has kept up, and no job has failed for good.")];
}
