import type { Branded } from "./brand.ts";
import { LociError } from "./error.ts";
import { normalForm } from "./normal-form.ts";
import { shownValue } from "./shown-value.ts";
import { visibleText } from "./visible-text.ts";

/** Whose data it is. Comes from the credential, never from a request body. */
export type TenantId = Branded<string, "TenantId">;

/** A memory's id: a UUIDv7, so ids sort by the time they were made. */
export type MemoryId = Branded<string, "MemoryId">;

/** Names a resource of the ledger inside its tenant. Today every resource is a memory. */
export type Ref = MemoryId;

/** Counts a resource's changes, from 1. In an expectation 0 means "must not exist". */
export type Version = number;

/** A place in a tenant's change log, from 1 without gaps. 0 is before the first change. */
export type Sequence = number;

/** Stands for one version of one resource. Sent back with an update, so that a stale one is noticed. */
export type Etag = Branded<string, "Etag">;

/** The longest identifier, in bytes of UTF-8. */
export const maxIdentifierBytes = 200;

const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
/** Braille's blank is no white space to Unicode, and looks like it. */
const edgeWhiteSpace = /^[\s\u2800]|[\s\u2800]$/u;
/** A joiner that joins nothing: what it stands behind is a letter of a script that has joiners, or an emoji. */
const danglingJoiner = /(?<!\p{M})[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/u;
const uuidVersion7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Of a tenant that may be there already: see {@link checkKeptIdentifier}. @throws LociError `INVALID_IDENTIFIER` */
export function tenantId(value: string): TenantId {
  return checkKeptIdentifier(value, "tenant") as TenantId;
}

/** @throws LociError `INVALID_IDENTIFIER` unless the value is a lower-case UUIDv7 */
export function memoryId(value: string): MemoryId {
  return resourceId(value, "memory");
}

/** The id of a capture, a review, an edit or a receipt, which is like that of a memory. @throws LociError `INVALID_IDENTIFIER`, with the kind's name */
export function resourceId(value: string, of: "memory" | "capture" | "review" | "edit" | "receipt"): MemoryId {
  if (typeof value === "string" && uuidVersion7.test(value)) return value as MemoryId;
  const one = of === "edit" ? "an edit" : `a ${of}`;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `The id of ${one} is a lower-case UUIDv7, but ${shownValue(value)} is not.`,
    field: "id",
    advice: `Pass the id of ${one} that Loci returned.`,
  });
}

/** The etag of a version. Equal for equal (ref, version), and for nothing else. */
export function etagOf(ref: Ref, version: Version): Etag {
  return `${ref}.${version}` as Etag;
}

/** Reads a version back out of an etag, or `undefined` when the etag belongs to another resource. */
export function versionOfEtag(ref: Ref, etag: string): Version | undefined {
  if (!etag.startsWith(`${ref}.`)) return undefined;
  const version = Number(etag.slice(ref.length + 1));
  return Number.isSafeInteger(version) && version > 0 ? version : undefined;
}

/**
 * Checks the rules that hold for every identifier people may choose: NFC, 1 to 200 bytes of UTF-8, no control characters, no lone
 * surrogates; nothing that cannot be seen, and no white space around it, so that two names which look the same in a list are one.
 * The joiners of emoji and of scripts that need them may stay where they join. Nothing is changed: a name is taken as it is, or refused.
 *
 * @throws LociError `INVALID_IDENTIFIER`
 */
export function checkIdentifier(value: unknown, field: string): string {
  return accepted(value, field, identifierProblem(value) ?? unseenProblem(value as string));
}

/**
 * `checkIdentifier` for what is stored already: former versions took names with what cannot be seen, and what has one can still be
 * read, closed and erased.
 *
 * @throws LociError `INVALID_IDENTIFIER`
 */
export function checkKeptIdentifier(value: unknown, field: string): string {
  return accepted(value, field, identifierProblem(value));
}

/** Whether `checkIdentifier` takes it. */
export function isIdentifier(value: unknown): value is string {
  return (identifierProblem(value) ?? unseenProblem(value as string)) === undefined;
}

function accepted(value: unknown, field: string, problem: string | undefined): string {
  if (problem === undefined) return value as string;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `${field} ${problem}.`,
    field,
    advice: `Use 1 to ${maxIdentifierBytes} bytes of NFC text that can be seen, without control characters or white space around it.`,
  });
}

function identifierProblem(value: unknown): string | undefined {
  if (value === undefined) return "is missing";
  if (typeof value !== "string") return `must be a string, but is ${value === null ? "null" : typeof value}`;
  if (value === "") return "must not be empty";
  if (!value.isWellFormed()) return "holds half of a surrogate pair";
  const bytes = utf8ByteLength(value);
  if (bytes > maxIdentifierBytes) return `is ${bytes} bytes long`;
  if (controlCharacters.test(value)) return "holds a control character";
  return normalForm(value, "NFC") === value ? undefined : "is not in Unicode normalisation form C";
}

function unseenProblem(value: string): string | undefined {
  const visible = visibleText(value);
  let place = 0;
  while (place < value.length && value[place] === visible[place]) place++;
  if (place === value.length) place = danglingJoiner.exec(value)?.index ?? place;
  if (place < value.length) {
    const codePoint = (value.codePointAt(place) as number).toString(16).toUpperCase().padStart(4, "0");
    return `holds U+${codePoint} at ${place}, which cannot be seen`;
  }
  return edgeWhiteSpace.test(value) ? "begins or ends with white space" : undefined;
}

/** How many bytes a well-formed string takes as UTF-8. Allocates nothing. */
export function utf8ByteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each half counts one byte more than its unit.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
