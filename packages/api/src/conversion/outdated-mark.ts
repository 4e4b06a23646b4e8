import type { MemoryId, OutdatedMark } from "@loci/domain";
import type { OutdatedMark as ProtoOutdatedMark } from "../gen/loci/v1/recall.ts";
import { instantFromProto, instantToProto } from "./instant.ts";

export function outdatedMarkToProto({ since, isInPart, replacedBy }: OutdatedMark, field: string): ProtoOutdatedMark {
  return { since: instantToProto(since, `${field}.since`), isInPart, replacedBy: [...replacedBy] };
}

export function outdatedMarkFromProto({ since, isInPart, replacedBy }: ProtoOutdatedMark, field: string): OutdatedMark {
  return { since: instantFromProto(since, `${field}.since`), isInPart, replacedBy: replacedBy as MemoryId[] };
}
