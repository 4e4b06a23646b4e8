import {
  checksOf,
  maxTurnBytes,
  memoryId,
  parseInstant,
  parseFormattedScope,
  type Ref,
  resourceId,
  type Scope,
} from "@loci/domain";
import type { EvidenceRecord } from "../capture/commit-capture.ts";
import { checkCited, type CitedSession } from "./cited-session.ts";
import type { ReadLine } from "./exported-line.ts";
import { turnNumber, whole } from "./line-checks.ts";

export interface EvidenceLine {
  readonly type: "evidence";
  readonly index: number;
  readonly id: Ref;
  readonly scope: Scope;
  readonly record: EvidenceRecord;
}

interface EvidenceFields extends Omit<EvidenceRecord, "session"> {
  readonly id: string;
  readonly scope: string;
  readonly session: CitedSession;
}

const checkEvidence = checksOf<EvidenceFields>()("evidence", {
  id: (given) => resourceId(given, "capture"),
  scope: (scope, path) => parseFormattedScope(scope, path),
  memory: (memory) => memoryId(memory),
  session: (session, path) => checkCited(session, path),
  turn: turnNumber,
  start: whole(0, maxTurnBytes),
  end: whole(0, maxTurnBytes),
  at: parseInstant,
  capture: (capture) => resourceId(capture, "capture"),
});

/** @throws LociError for what is no place that a memory rests on */
export function readEvidenceLine({ fields, index }: ReadLine): EvidenceLine {
  const { id: ref, scope, session, ...place } = checkEvidence(fields as unknown as EvidenceFields);
  const record = { ...place, session: { scope: session.scope, id: session.id } };
  return { type: "evidence", index, id: ref, scope, record };
}
