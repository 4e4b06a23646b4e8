import { optional, type Provenance } from "@loci/domain";
import type { Provenance as ProtoProvenance } from "../gen/loci/v1/memory.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { identifierToProto } from "./identifier.ts";
import { provenanceKinds, turnRoles } from "./memory-words.ts";
import { optionalInt64FromProto } from "./read-value.ts";
import { field, optionalWord, RequestForm, word, sameField } from "./request-form.ts";
import { writableDouble, writableInt64 } from "./writable-value.ts";

export const provenance: RequestForm<Provenance, ProtoProvenance> = new RequestForm<Provenance, ProtoProvenance>(
  "provenance",
  {
    sourceId: sameField("sourceId", identifierToProto),
    kind: word("kind", provenanceKinds),
    confidence: sameField("confidence", optional(writableDouble)),
    position: field("position", optional(writableInt64), optionalInt64FromProto),
    speaker: sameField("speaker", optional(identifierToProto)),
    role: optionalWord("role", turnRoles),
    createdAt: field("createTime", optionalInstantToProto, optionalInstantFromProto),
    retrievalScore: sameField("retrievalScore", optional(writableDouble)),
  },
);
