import {
  checkChoice,
  checkIdentifier,
  checksOf,
  optional,
  parseInstant,
  type Provenance,
  provenanceKinds,
  turnRoles,
} from "@loci/domain";
import { checkFinite, checkShare, checkWholeNumber } from "./validate-number.ts";

/** @throws LociError `INVALID_REQUEST`, `INVALID_IDENTIFIER`, `INVALID_NUMBER`, `INVALID_INSTANT`, with the field */
export const checkProvenance: (provenance: Provenance, path: string) => Provenance = checksOf<Provenance>()(
  "provenance",
  {
    sourceId: checkIdentifier,
    kind: (kind, path) => checkChoice(kind, provenanceKinds, path),
    confidence: optional(checkShare),
    position: optional((position, path) =>
      checkWholeNumber(position, path, { least: 0, most: Number.MAX_SAFE_INTEGER }),
    ),
    speaker: optional(checkIdentifier),
    role: optional((role, path) => checkChoice(role, turnRoles, path)),
    createdAt: optional(parseInstant),
    retrievalScore: optional(checkFinite),
  },
);
