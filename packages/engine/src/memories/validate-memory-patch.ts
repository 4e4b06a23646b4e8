import {
  checkBoolean,
  checkFields,
  checkIdentifier,
  type EtagPrecondition,
  etagPreconditionFields,
  fieldsOf,
  LociError,
  type MemoryId,
  memoryId,
  type MemoryPatch,
  type MissingAllowed,
  parseInstant,
  type Version,
  versionOfEtag,
} from "@loci/domain";
import { checkCategory, checkTags } from "../validation/validate-labels.ts";
import { checkMetadata } from "../validation/validate-metadata.ts";
import { checkShare, checkWholeNumber } from "../validation/validate-number.ts";
import { checkProvenance } from "../validation/validate-provenance.ts";
import { checkRememberedText } from "../validation/validate-text.ts";

const allowingFields = fieldsOf<MissingAllowed>({ allowMissing: true });

/**
 * Whether the memory may be made when there is none.
 *
 * @throws LociError `INVALID_REQUEST` when an etag is given, too, or anything but true
 */
export function allowsMissing(precondition: EtagPrecondition | MissingAllowed): precondition is MissingAllowed {
  if (typeof precondition !== "object" || precondition === null || !("allowMissing" in precondition)) return false;
  checkFields(precondition, allowingFields, "precondition");
  const { allowMissing }: { readonly allowMissing: unknown } = precondition;
  if (allowMissing === true) return true;
  throw new LociError("INVALID_REQUEST", {
    message: "precondition.allowMissing is not true.",
    field: "precondition.allowMissing",
    advice: "Pass true, or the etag of the memory as it was read in its place.",
  });
}

/** The fields that a patch gives or removes. */
export function patchedFields(patch: MemoryPatch): readonly (keyof MemoryPatch)[] {
  return (Object.keys(checks) as (keyof MemoryPatch)[]).filter((name) => patch[name] !== undefined);
}

/** Every check takes another type of value; which one is tied to the field by the table below. */
type PatchCheck = (value: never, field: string) => unknown;

const checks: Readonly<Record<keyof MemoryPatch, PatchCheck>> = {
  text: checkRememberedText,
  category: checkCategory,
  importance: checkShare,
  confidence: checkShare,
  isStatic: checkBoolean,
  isPinned: checkBoolean,
  tags: checkTags,
  slot: nullable(checkIdentifier),
  provenance: nullable(checkProvenance),
  metadata: checkMetadata,
  validFrom: nullable(parseInstant),
  validTo: nullable(parseInstant),
  expiresAt: nullable(parseInstant),
  supersededBy: nullable((value: string) => memoryId(value)),
};

const patchFields: ReadonlySet<string> = new Set(Object.keys(checks));

/**
 * Checks and copies a patch. Fields left out are absent from the copy; `null` stays where it removes something.
 *
 * @throws LociError with the field at fault; `INVALID_REQUEST` when the patch changes nothing
 */
export function checkMemoryPatch(patch: MemoryPatch): MemoryPatch {
  checkFields(patch, patchFields, "patch");
  const names = (Object.keys(patch) as (keyof MemoryPatch)[]).filter((name) => patch[name] !== undefined);
  if (names.length === 0)
    throw new LociError("INVALID_REQUEST", {
      message: "The patch changes nothing.",
      field: "patch",
      advice: "Pass at least one field.",
    });
  return Object.fromEntries(names.map((name) => [name, checks[name](patch[name] as never, name)]));
}

/**
 * The version a precondition stands for.
 *
 * @throws LociError `INVALID_REQUEST` when it holds no etag of this memory
 */
export function checkPrecondition(id: MemoryId, precondition: EtagPrecondition | undefined): Version {
  if (precondition === undefined)
    throw new LociError("INVALID_REQUEST", {
      message: `Nothing says which version of the memory ${id} is meant.`,
      field: "precondition",
      resource: id,
      advice: "Pass { etag: memory.etag }, of the memory as it was read: so nobody's change is lost.",
    });
  checkFields(precondition, etagPreconditionFields, "precondition");
  const version = typeof precondition.etag === "string" ? versionOfEtag(id, precondition.etag) : undefined;
  if (version !== undefined) return version;
  throw new LociError("INVALID_REQUEST", {
    message: `precondition.etag is not an etag of the memory ${id}.`,
    field: "precondition.etag",
    resource: id,
    advice: "Pass the etag of the memory as it was read.",
  });
}

/** @throws LociError `INVALID_NUMBER` unless it is a whole number from 1 */
export function checkVersion(version: unknown): Version {
  return checkWholeNumber(version, "version", { least: 1, most: Number.MAX_SAFE_INTEGER });
}

function nullable(check: PatchCheck): PatchCheck {
  return (value: never, field) => (value === null ? null : check(value, field));
}
