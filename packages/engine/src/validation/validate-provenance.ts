import {
  checkChoice,
  checkFields,
  checkIdentifier,
  fieldsOf,
  parseInstant,
  type Provenance,
  provenanceKinds,
  turnRoles,
} from "@loci/domain";
import { checkFinite, checkShare, checkWholeNumber } from "./validate-number.ts";

const provenanceFields = fieldsOf<Provenance>({
  sourceId: true,
  kind: true,
  confidence: true,
  position: true,
  speaker: true,
  role: true,
  createdAt: true,
  retrievalScore: true,
});

/** @throws LociError `INVALID_REQUEST`, `INVALID_IDENTIFIER`, `INVALID_NUMBER`, `INVALID_INSTANT`, with the field */
export function checkProvenance(value: Provenance, field: string): Provenance {
  checkFields(value, provenanceFields, field);
  const { confidence, position, speaker, role, createdAt, retrievalScore } = value;
  return {
    sourceId: checkIdentifier(value.sourceId, `${field}.sourceId`),
    kind: checkChoice(value.kind, provenanceKinds, `${field}.kind`),
    ...(confidence === undefined ? {} : { confidence: checkShare(confidence, `${field}.confidence`) }),
    ...(position === undefined
      ? {}
      : {
          position: checkWholeNumber(position, `${field}.position`, { least: 0, most: Number.MAX_SAFE_INTEGER }),
        }),
    ...(speaker === undefined ? {} : { speaker: checkIdentifier(speaker, `${field}.speaker`) }),
    ...(role === undefined ? {} : { role: checkChoice(role, turnRoles, `${field}.role`) }),
    ...(createdAt === undefined ? {} : { createdAt: parseInstant(createdAt, `${field}.createdAt`) }),
    ...(retrievalScore === undefined ? {} : { retrievalScore: checkFinite(retrievalScore, `${field}.retrievalScore`) }),
  };
}
