import { checkFields, fieldsOf, type Provenance } from "@loci/domain";
import type { Provenance as ProtoProvenance } from "../gen/loci/v1/memory.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { provenanceKinds, turnRoles } from "./memory-words.ts";
import { optionalInt64FromProto, withoutUndefined } from "./read-value.ts";
import { optionally, writableDouble, writableInt64, writableText } from "./writable-value.ts";

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

/** @throws LociError `INVALID_REQUEST`, `INVALID_IDENTIFIER`, `INVALID_NUMBER`, `INVALID_INSTANT` */
export function provenanceToProto(provenance: Provenance, field: string): ProtoProvenance {
  checkFields(provenance, provenanceFields, field);
  return {
    sourceId: writableText(provenance.sourceId, `${field}.sourceId`, "INVALID_IDENTIFIER"),
    kind: provenanceKinds.toProto(provenance.kind, `${field}.kind`),
    confidence: optionally(provenance.confidence, `${field}.confidence`, writableDouble),
    position: optionally(provenance.position, `${field}.position`, writableInt64),
    speaker: optionally(provenance.speaker, `${field}.speaker`, writableSpeaker),
    role: turnRoles.optionalToProto(provenance.role, `${field}.role`),
    createTime: optionalInstantToProto(provenance.createdAt, `${field}.createdAt`),
    retrievalScore: optionally(provenance.retrievalScore, `${field}.retrievalScore`, writableDouble),
  };
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_NUMBER`, `INVALID_INSTANT` */
export function provenanceFromProto(provenance: ProtoProvenance, field: string): Provenance {
  return withoutUndefined({
    sourceId: provenance.sourceId,
    kind: provenanceKinds.fromProto(provenance.kind, `${field}.kind`),
    confidence: provenance.confidence,
    position: optionalInt64FromProto(provenance.position, `${field}.position`),
    speaker: provenance.speaker,
    role: turnRoles.optionalFromProto(provenance.role, `${field}.role`),
    createdAt: optionalInstantFromProto(provenance.createTime, `${field}.createdAt`),
    retrievalScore: provenance.retrievalScore,
  });
}

function writableSpeaker(speaker: string, field: string): string {
  return writableText(speaker, field, "INVALID_IDENTIFIER");
}
