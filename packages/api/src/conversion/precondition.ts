import { checkFields, type EtagPrecondition, etagPreconditionFields } from "@loci/domain";
import { optionally, writableText } from "./writable-value.ts";

/** @throws LociError `INVALID_REQUEST` */
export function etagToProto(precondition: EtagPrecondition, field = "precondition"): string {
  checkFields(precondition, etagPreconditionFields, field);
  return writableText(precondition.etag, `${field}.etag`, "INVALID_REQUEST");
}

/** @throws LociError `INVALID_REQUEST` */
export function optionalEtagToProto(precondition: EtagPrecondition | undefined): string | undefined {
  return optionally(precondition, "precondition", etagToProto);
}

export function optionalPreconditionFromProto(etag: string | undefined): EtagPrecondition | undefined {
  return etag === undefined ? undefined : { etag };
}
