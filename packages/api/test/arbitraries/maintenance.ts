import type { MaintenanceJob, MaintenanceProgress, MaintenanceReport } from "@loci/domain";
import { maintenanceJobTypes } from "@loci/domain";
import fc from "fast-check";
import { memory, scope } from "./memories.ts";
import { double, doubleWithOneZero, instant, recordOf, text } from "./plain-values.ts";

const name = text.filter((value) => value !== "");
const dryRun = fc.constant(true);
const at = { evaluationTime: instant, dryRun };

type Job<Type extends MaintenanceJob["type"]> = Extract<MaintenanceJob, { readonly type: Type }>;

export const maintenanceJob: fc.Arbitrary<MaintenanceJob> = fc.oneof(
  recordOf<Job<"reindex"> & { readonly dropOld: boolean }>(
    { type: fc.constant("reindex" as const), dropOld: fc.boolean() },
    { to: name, embedder: name, dryRun },
  ),
  recordOf<Job<"verify"> & { readonly repair: boolean }>(
    { type: fc.constant("verify" as const), repair: fc.boolean() },
    {},
  ),
  recordOf<Job<"expire">>({ type: fc.constant("expire" as const) }, at),
  recordOf<Job<"prune">>(
    { type: fc.constant("prune" as const) },
    { dormantDays: double, removeAfterDays: double, ...at },
  ),
  recordOf<Job<"compact">>({ type: fc.constant("compact" as const) }, { dryRun }),
  recordOf<Job<"reweigh">>({ type: fc.constant("reweigh" as const) }, at),
  recordOf<Job<"review">>({ type: fc.constant("review" as const) }, { staticDays: double, evaluationTime: instant }),
  recordOf<Job<"backup">>({ type: fc.constant("backup" as const), directory: name }, {}),
  fc
    .tuple(
      fc.oneof(
        name.map((user) => ({ user })),
        scope.map((one) => ({ scope: one })),
        name.map((tenant) => ({ tenant })),
      ),
      fc.boolean(),
    )
    .map(([what, isDry]): Job<"erase"> => ({ type: "erase", ...what, ...(isDry ? { dryRun: true } : {}) })),
);

export const maintenanceProgress: fc.Arbitrary<MaintenanceProgress> = recordOf<MaintenanceProgress>(
  { activity: text, done: doubleWithOneZero, ratePerSecond: doubleWithOneZero },
  { total: double },
);

const names = fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true });

export const maintenanceReport: fc.Arbitrary<MaintenanceReport> = recordOf<MaintenanceReport>(
  {
    job: fc.constantFrom(...maintenanceJobTypes),
    dryRun: fc.boolean(),
    counts: fc.dictionary(text, doubleWithOneZero, { maxKeys: 4, noNullPrototype: true }),
    findings: fc.array(
      recordOf<MaintenanceReport["findings"][number]>(
        { reason: text, details: names },
        { memory: memory.map(({ id }) => id) },
      ),
      { maxLength: 3 },
    ),
    notes: fc.array(text, { maxLength: 3 }),
  },
  {},
);
