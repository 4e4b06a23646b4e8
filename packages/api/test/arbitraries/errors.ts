import { type ErrorReason, errorReasons, LociError } from "@loci/domain";
import fc from "fast-check";
import type { Operation } from "../../src/index.ts";
import { maintenanceProgress, maintenanceReport } from "./maintenance.ts";
import { instant, recordOf, text } from "./plain-values.ts";

/** Fields that the contract calls otherwise, and such as it calls the same. */
const field = fc.oneof(
  text,
  fc.constantFrom("turns[0].at", "expectedLast", "first", "precondition.etag", "metadata.aB"),
);
/** Texts that name a field in one language, or in the other, or in both. */
const telling = fc.oneof(
  text,
  fc.constantFrom(
    "turns[0].at is missing.",
    "expected_last_turn is no expectedLast.",
    "first, the etag",
    "turns[0].time",
    "first is",
    "first_turn is none.",
    "etag is",
  ),
);

const detailName = fc.oneof(
  text,
  fc.constantFrom("advice", "advice_", "advice__", "resource", "resource_", "field", "message", "__proto__"),
);

/** An error of the given reason, with every field that crosses the wire. */
export function errorOf(reason: ErrorReason): fc.Arbitrary<LociError> {
  return fc
    .record(
      {
        message: telling,
        advice: telling,
        field,
        resource: text,
        details: fc.dictionary(detailName, text, { maxKeys: 5, noNullPrototype: true }),
      },
      { requiredKeys: ["message"], noNullPrototype: true },
    )
    .map((description) => new LociError(reason, description));
}

export const reasons = Object.keys(errorReasons) as ErrorReason[];

export const operation: fc.Arbitrary<Operation> = recordOf<Operation>(
  {
    id: text,
    kind: text,
    state: fc.constantFrom("running", "succeeded", "failed", "cancelled"),
    createdAt: instant,
  },
  {
    endedAt: instant,
    error: fc.constantFrom(...reasons).chain(errorOf),
    progress: maintenanceProgress,
    result: fc.oneof(
      fc.constant({ type: "settle" as const }),
      maintenanceReport.map((report) => ({ type: "maintenance" as const, report })),
    ),
  },
);
