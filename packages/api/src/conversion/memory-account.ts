import type { MemoryAccount, MemoryId } from "@loci/domain";
import type { MemoryAccount as ProtoMemoryAccount } from "../gen/loci/v1/recall.ts";
import { optionalPartsFromProto, optionalPartsToProto } from "./dropped-candidate.ts";
import { withoutUndefined } from "./read-value.ts";

export function memoryAccountToProto(account: MemoryAccount): ProtoMemoryAccount {
  const { id, reason, inFavourOf, score, parts, closeness, floor, rank } = account;
  return { id, reason, inFavourOf, score, parts: optionalPartsToProto(parts), closeness, floor, rank };
}

export function memoryAccountFromProto(account: ProtoMemoryAccount): MemoryAccount {
  const { id, reason, inFavourOf, score, parts, closeness, floor, rank } = account;
  return withoutUndefined({
    id: id as MemoryId,
    reason: reason as MemoryAccount["reason"],
    inFavourOf: inFavourOf as MemoryId | undefined,
    score,
    parts: optionalPartsFromProto(parts),
    closeness,
    floor,
    rank,
  });
}
