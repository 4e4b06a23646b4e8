import {
  checkBoolean,
  checkChoice,
  checkIdentifier,
  checkMemoryKey,
  checksOf,
  type Instant,
  LociError,
  optional,
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
import { checkRememberedText } from "../validation/validate-text.ts";

const check = checksOf<RememberInput>()("input", {
  validFrom: optional(parseInstant),
  validTo: optional(parseInstant),
  text: checkRememberedText,
  scope: parseScope,
  key: optional(checkMemoryKey),
  category: optional(checkCategory),
  importance: optional(checkShare),
  confidence: optional(checkShare),
  isStatic: optional(checkBoolean),
  isPinned: optional(checkBoolean),
  tags: optional(checkTags),
  slot: optional(checkIdentifier),
  origin: optional((origin, path) => checkChoice(origin, origins, path)),
  provenance: optional(checkProvenance),
  trust: optional((trust, path) => checkChoice(trust, ["trusted", "untrusted"] as const, path)),
  metadata: optional(checkMetadata),
  createdAt: optional(parseInstant),
  expiresAt: optional(parseInstant),
  repeat: optional((repeat, path) => checkChoice(repeat, ["refresh", "add"] as const, path)),
});

/** A {@link RememberInput} that was checked and copied: changing the caller's object changes it no more. */
export type CheckedRememberInput = Omit<RememberInput, "scope"> & { readonly scope: Scope };

/**
 * @param path where the input stood, such as `input` or `inputs[2]`; at the top level fields are named without it
 * @throws LociError with the field at fault: `INVALID_TEXT`, `TEXT_TOO_LARGE`, `INVALID_SCOPE`, `INVALID_NUMBER`, …
 */
export function checkRememberInput(input: RememberInput, path = ""): CheckedRememberInput {
  const checked = check(input, path === "" ? undefined : path);
  checkValidity(checked.validFrom, checked.validTo, path === "" ? "validTo" : `${path}.validTo`);
  return checked;
}

/** A fact ceases to be true after it began to be. @throws LociError `INVALID_INSTANT` */
export function checkValidity(validFrom: Instant | undefined, validTo: Instant | undefined, field: string): void {
  if (validFrom === undefined || validTo === undefined || validFrom < validTo) return;
  throw new LociError("INVALID_INSTANT", {
    message: `${field} is ${new Date(validTo).toISOString()}, but the memory begins to hold at ${new Date(validFrom).toISOString()}.`,
    field,
    advice: "What holds until a moment begins to hold before it.",
  });
}
