import {
  checkBoolean,
  checkMaintenanceJob,
  LociError,
  type MaintenanceJob,
  parseInstant,
  shownValue,
} from "@loci/domain";
import { checkFinite } from "../validation/validate-number.ts";

const booleans = ["dryRun", "repair", "dropOld"] as const;
const days = ["dormantDays", "removeAfterDays", "staticDays"] as const;
const names = ["to", "embedder", "directory", "user", "tenant"] as const;

/** @throws LociError `INVALID_REQUEST`, `INVALID_NUMBER`, `INVALID_INSTANT` */
export function checkJob(job: MaintenanceJob): MaintenanceJob {
  checkMaintenanceJob(job);
  const values: Readonly<Record<string, unknown>> = { ...job };
  for (const name of booleans) if (values[name] !== undefined) checkBoolean(values[name], name);
  for (const name of days) if (values[name] !== undefined) checkDays(values[name], name);
  for (const name of names) if (values[name] !== undefined) checkName(values[name], name);
  if (values["evaluationTime"] !== undefined) parseInstant(values["evaluationTime"], "evaluationTime");
  if (job.type === "backup") checkName(values["directory"], "directory");
  return job;
}

function checkDays(value: unknown, field: string): void {
  if (checkFinite(value, field) >= 0) return;
  throw new LociError("INVALID_NUMBER", {
    message: `${field} is ${shownValue(value)}.`,
    field,
    advice: "Pass a number of days, 0 or more.",
  });
}

function checkName(value: unknown, field: string): void {
  if (typeof value === "string" && value !== "") return;
  throw new LociError("INVALID_REQUEST", {
    message: `${field} must be a text that is not empty.`,
    field,
    advice: "Pass a name.",
  });
}
