import {
  checkBoolean,
  checkChoice,
  checkFields,
  checkIdentifier,
  fieldsOf,
  type Instant,
  LociError,
  origins,
  parseInstant,
  parseScope,
  type RememberInput,
  type Scope,
} from "@loci/domain";
import { checkCategory, checkTags } from "../validation/validate-labels.ts";
import { checkMetadata } from "../validation/validate-metadata.ts";
import { checkShare } from "../validation/validate-number.ts";
import { checkProvenance } from "../validation/validate-provenance.ts";
import { checkStoredText } from "../validation/validate-text.ts";

const rememberFields = fieldsOf<RememberInput>({
  text: true,
  scope: true,
  category: true,
  importance: true,
  confidence: true,
  isStatic: true,
  isPinned: true,
  tags: true,
  slot: true,
  origin: true,
  provenance: true,
  trust: true,
  metadata: true,
  createdAt: true,
  validFrom: true,
  validTo: true,
  expiresAt: true,
  repeat: true,
});

/** A {@link RememberInput} that was checked and copied: changing the caller's object changes it no more. */
export type CheckedRememberInput = Omit<RememberInput, "scope"> & { readonly scope: Scope };

/**
 * @param path where the input stood, such as `input` or `inputs[2]`; at the top level fields are named without it
 * @throws LociError with the field at fault: `INVALID_TEXT`, `TEXT_TOO_LARGE`, `INVALID_SCOPE`, `INVALID_NUMBER`, …
 */
export function checkRememberInput(input: RememberInput, path = ""): CheckedRememberInput {
  checkFields(input, rememberFields, path === "" ? "input" : path);
  const at = (name: keyof RememberInput): string => (path === "" ? name : `${path}.${name}`);
  const optional = <Key extends keyof RememberInput, Value>(
    key: Key,
    check: (value: NonNullable<RememberInput[Key]>, field: string) => Value,
  ): Value | undefined => {
    const value = input[key];
    return value === undefined ? undefined : check(value, at(key));
  };
  const validFrom = optional("validFrom", parseInstant);
  const validTo = optional("validTo", parseInstant);
  checkValidity(validFrom, validTo, at("validTo"));
  return {
    text: checkStoredText(input.text, at("text")),
    scope: parseScope(input.scope, at("scope")),
    category: optional("category", checkCategory),
    importance: optional("importance", checkShare),
    confidence: optional("confidence", checkShare),
    isStatic: optional("isStatic", checkBoolean),
    isPinned: optional("isPinned", checkBoolean),
    tags: optional("tags", checkTags),
    slot: optional("slot", checkIdentifier),
    origin: optional("origin", (value, field) => checkChoice(value, origins, field)),
    provenance: optional("provenance", checkProvenance),
    trust: optional("trust", (value, field) => checkChoice(value, ["trusted", "untrusted"] as const, field)),
    metadata: optional("metadata", checkMetadata),
    createdAt: optional("createdAt", parseInstant),
    validFrom,
    validTo,
    expiresAt: optional("expiresAt", parseInstant),
    repeat: optional("repeat", (value, field) => checkChoice(value, ["refresh", "add"] as const, field)),
  };
}

/** A fact ceases to be true after it began to be. @throws LociError `INVALID_INSTANT` */
export function checkValidity(validFrom: Instant | undefined, validTo: Instant | undefined, field: string): void {
  if (validFrom === undefined || validTo === undefined || validFrom < validTo) return;
  throw new LociError("INVALID_INSTANT", {
    message: `${field} is ${validTo}, which is not after validFrom, ${validFrom}.`,
    field,
    advice: "validTo is exclusive: it must be later than validFrom.",
  });
}
