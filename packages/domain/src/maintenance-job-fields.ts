import { checkChoice, checkFields, fieldsOf, isPlainObject } from "./check-fields.ts";
import type { MaintenanceJob, MaintenanceJobType } from "./maintenance.ts";

type Fields<Type extends MaintenanceJobType> = Extract<MaintenanceJob, { type: Type }>;

const jobFields: Readonly<Record<MaintenanceJobType, ReadonlySet<string>>> = {
  reindex: fieldsOf<Fields<"reindex">>({ type: true, to: true, embedder: true, dropOld: true, dryRun: true }),
  verify: fieldsOf<Fields<"verify">>({ type: true, repair: true }),
  expire: fieldsOf<Fields<"expire">>({ type: true, evaluationTime: true, dryRun: true }),
  prune: fieldsOf<Fields<"prune">>({
    type: true,
    dormantDays: true,
    removeAfterDays: true,
    evaluationTime: true,
    dryRun: true,
  }),
  compact: fieldsOf<Fields<"compact">>({ type: true, dryRun: true }),
  encrypt: fieldsOf<Fields<"encrypt">>({ type: true, dryRun: true }),
  reweigh: fieldsOf<Fields<"reweigh">>({ type: true, evaluationTime: true, dryRun: true }),
  review: fieldsOf<Fields<"review">>({ type: true, staticDays: true, evaluationTime: true }),
  backup: fieldsOf<Fields<"backup">>({ type: true, directory: true }),
  erase: fieldsOf<Fields<"erase">>({ type: true, user: true, scope: true, tenant: true, dryRun: true }),
};

/** Every type of job. */
export const maintenanceJobTypes: readonly MaintenanceJobType[] = Object.keys(jobFields) as MaintenanceJobType[];

/**
 * Checks that a job is of a known type and has no unknown fields: a misspelt `dryRun` would delete what it should list.
 *
 * @throws LociError `INVALID_REQUEST`
 */
export function checkMaintenanceJob(job: MaintenanceJob): void {
  const given: unknown = job;
  const type = checkChoice(isPlainObject(given) ? given["type"] : undefined, maintenanceJobTypes, "type");
  checkFields(job, jobFields[type], "request");
}
