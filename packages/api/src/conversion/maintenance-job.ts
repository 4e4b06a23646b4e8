import { checkMaintenanceJob, LociError, type MaintenanceJob } from "@loci/domain";
import type { Timestamp } from "../gen/google/protobuf/timestamp.ts";
import type { EraseJob, MaintenanceJob as ProtoMaintenanceJob } from "../gen/loci/v1/maintenance.ts";
import type { StartMaintenanceRequest } from "../gen/loci/v1/maintenance_service.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { keptScopeFromProto, keptScopeToProto } from "./scope.ts";
import { optionally, writableDouble, writableText } from "./writable-value.ts";

type Job<Type extends MaintenanceJob["type"]> = Extract<MaintenanceJob, { readonly type: Type }>;

/** @throws LociError with the field at fault */
export function maintenanceJobToProto(job: MaintenanceJob): StartMaintenanceRequest {
  checkMaintenanceJob(job);
  return { job: { job: jobToProto(job) }, validateOnly: "dryRun" in job && job.dryRun === true };
}

/** @throws LociError with the field at fault */
export function maintenanceJobFromProto({ job, validateOnly }: StartMaintenanceRequest): MaintenanceJob {
  const made = jobFromProto(required(job, "job"));
  if (!validateOnly) return made;
  if (made.type === "verify" || made.type === "review" || made.type === "backup")
    throw new LociError("INVALID_REQUEST", {
      message: `The job ${made.type} has no dry run.`,
      field: "validateOnly",
      advice: made.type === "backup" ? "Start it without." : "It changes nothing unless it is told to.",
    });
  return { ...made, dryRun: true };
}

function jobToProto(job: MaintenanceJob): ProtoMaintenanceJob["job"] {
  switch (job.type) {
    case "reindex": {
      const { dropOld = false } = job;
      return {
        $case: "reindex",
        value: { to: nameOf(job.to, "to"), embedder: nameOf(job.embedder, "embedder"), dropOld },
      };
    }
    case "verify":
      return { $case: "verify", value: { repair: job.repair === true } };
    case "expire":
    case "reweigh":
      return { $case: job.type, value: { evaluationTime: timeOf(job) } };
    case "prune": {
      const dormantDays = optionally(job.dormantDays, "dormantDays", writableDouble);
      const removeAfterDays = optionally(job.removeAfterDays, "removeAfterDays", writableDouble);
      return { $case: "prune", value: { dormantDays, removeAfterDays, evaluationTime: timeOf(job) } };
    }
    case "compact":
      return { $case: "compact", value: {} };
    case "encrypt":
      return { $case: "encrypt", value: {} };
    case "review": {
      const staticDays = optionally(job.staticDays, "staticDays", writableDouble);
      return { $case: "review", value: { staticDays, evaluationTime: timeOf(job) } };
    }
    case "backup":
      return { $case: "backup", value: { directory: nameOf(job.directory, "directory") } };
    case "erase":
      return { $case: "erase", value: { what: erasedToProto(job) } };
  }
}

function erasedToProto({ user, scope, tenant }: Job<"erase">): EraseJob["what"] {
  const given = [user, scope, tenant].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new LociError("INVALID_REQUEST", {
      message: `${given.length} of user, scope and tenant are given, but exactly one says what is erased.`,
      advice: "Pass one of them.",
    });
  if (scope !== undefined) return { $case: "scope", value: keptScopeToProto(scope, "scope") };
  if (user !== undefined) return { $case: "user", value: nameOf(user, "user") };
  return { $case: "tenant", value: nameOf(tenant, "tenant") };
}

function jobFromProto({ job }: ProtoMaintenanceJob): MaintenanceJob {
  switch (job?.$case) {
    case "reindex": {
      const { to, embedder, dropOld } = job.value;
      return withoutUndefined({ type: "reindex", to: given(to), embedder: given(embedder), dropOld });
    }
    case "verify":
      return { type: "verify", repair: job.value.repair };
    case "expire":
    case "reweigh":
      return withoutUndefined({ type: job.$case, evaluationTime: instantOf(job.value) });
    case "prune": {
      const { dormantDays, removeAfterDays } = job.value;
      return withoutUndefined({ type: "prune", dormantDays, removeAfterDays, evaluationTime: instantOf(job.value) });
    }
    case "compact":
      return { type: "compact" };
    case "encrypt":
      return { type: "encrypt" };
    case "review": {
      const { staticDays } = job.value;
      return withoutUndefined({ type: "review", staticDays, evaluationTime: instantOf(job.value) });
    }
    case "backup":
      return { type: "backup", directory: job.value.directory };
    case "erase":
      return { type: "erase", ...erasedFromProto(job.value) };
    case undefined:
      throw unknownJob();
  }
}

function erasedFromProto({ what }: EraseJob): Pick<Job<"erase">, "user" | "scope" | "tenant"> {
  switch (what?.$case) {
    case "user":
      return { user: what.value };
    case "scope":
      return { scope: keptScopeFromProto(what.value, "scope") };
    case "tenant":
      return { tenant: what.value };
    case undefined:
      return {};
  }
}

function timeOf({ evaluationTime }: { readonly evaluationTime?: number | undefined }): Timestamp | undefined {
  return optionalInstantToProto(evaluationTime, "evaluationTime");
}

function instantOf({ evaluationTime }: { readonly evaluationTime: Timestamp | undefined }): number | undefined {
  return optionalInstantFromProto(evaluationTime, "evaluationTime");
}

function nameOf(name: string | undefined, field: string): string {
  return optionally(name, field, (value, path) => writableText(value, path, "INVALID_REQUEST")) ?? "";
}

function given(name: string): string | undefined {
  return name === "" ? undefined : name;
}

function unknownJob(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "The job is of no type this version knows.",
    field: "job",
    advice: "Say which job is to be run.",
  });
}
