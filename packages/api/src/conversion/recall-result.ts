import type { Degradation, RecallHit, RecallResult, ScoringProfile } from "@loci/domain";
import type { RecallHit as ProtoRecallHit, RecallMemoriesResponse } from "../gen/loci/v1/recall.ts";
import { droppedCandidateFromProto, droppedCandidateToProto } from "./dropped-candidate.ts";
import { instantFromProto, instantToProto } from "./instant.ts";
import { memoryFromProto, memoryToProto } from "./memory.ts";
import { memoryAccountFromProto, memoryAccountToProto } from "./memory-account.ts";
import { outdatedMarkFromProto, outdatedMarkToProto } from "./outdated-mark.ts";
import { nonEmptyList, required, withoutUndefined } from "./read-value.ts";
import { scorePartsFromProto, scorePartsToProto } from "./score-parts.ts";
import { profileChangesFromProto, profileChangesToProto } from "./scoring-profile.ts";
import { optionally } from "./writable-value.ts";

export function recallResultToProto(result: RecallResult): RecallMemoriesResponse {
  return {
    hits: result.hits.map(hitToProto),
    dropped: result.dropped.map(droppedCandidateToProto),
    evaluationTime: instantToProto(result.evaluationTime, "evaluationTime"),
    degraded: [...result.degraded],
    usedFallback: result.usedFallback,
    timings: new Map(Object.entries(result.timings)),
    accounts: result.accounts?.map(memoryAccountToProto) ?? [],
    profile: optionally(result.profile, "profile", profileChangesToProto),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function recallResultFromProto(response: RecallMemoriesResponse): RecallResult {
  return {
    hits: response.hits.map((hit, index) => hitFromProto(hit, `hits[${index}]`)),
    dropped: response.dropped.map(droppedCandidateFromProto),
    evaluationTime: instantFromProto(response.evaluationTime, "evaluationTime"),
    degraded: response.degraded as Degradation[],
    usedFallback: response.usedFallback,
    timings: Object.fromEntries(response.timings),
    ...withoutUndefined({
      accounts: nonEmptyList(response.accounts.map(memoryAccountFromProto)),
      // A server names every field of it.
      profile: response.profile && (profileChangesFromProto(response.profile) as ScoringProfile),
    }),
  };
}

function hitToProto(hit: RecallHit): ProtoRecallHit {
  const { memory, score, parts, text, tokens, truncated, foundBy, outdated } = hit;
  return {
    memory: memoryToProto(memory),
    score,
    parts: scorePartsToProto(parts),
    text,
    tokens,
    truncated,
    foundBy,
    outdated: optionally(outdated, "outdated", outdatedMarkToProto),
  };
}

function hitFromProto(hit: ProtoRecallHit, path: string): RecallHit {
  return {
    memory: memoryFromProto(hit.memory, `${path}.memory`),
    score: hit.score,
    parts: scorePartsFromProto(required(hit.parts, `${path}.parts`)),
    text: hit.text,
    tokens: hit.tokens,
    truncated: hit.truncated,
    foundBy: hit.foundBy as RecallHit["foundBy"],
    ...withoutUndefined({ outdated: hit.outdated && outdatedMarkFromProto(hit.outdated, `${path}.outdated`) }),
  };
}
