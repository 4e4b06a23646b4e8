import { cpus } from "node:os";
import type { CallMix } from "./call-mix.ts";
import type { MeasuredConfiguration } from "./measure-configuration.ts";
import type { ArrivalSchedule } from "./planned-calls.ts";

/** What `npm run bench:load` has measured, and on what. */
export interface LoadReport {
  readonly time: string;
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
  /** Of the last minute, before and after: other programs on the machine show in it. */
  readonly loadAverage: readonly [before: number, after: number];
  readonly tenants: number;
  readonly memoriesOfTenant: number;
  readonly skew: number;
  readonly mix: CallMix;
  readonly schedule: ArrivalSchedule;
  readonly seconds: number;
  /** Milliseconds. */
  readonly statedP99: number;
  readonly callerProcesses: number;
  readonly configurations: readonly MeasuredConfiguration[];
  /** What was not run, and why. */
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

/** The machine of this run. */
export function machine(): Pick<LoadReport, "processor" | "cores" | "node"> {
  const all = cpus();
  return { processor: all[0]?.model ?? "unknown", cores: all.length, node: process.versions.node };
}
