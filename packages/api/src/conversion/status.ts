import type { EmbeddingCacheStatus, JobsStatus, LedgerStatus, LociStatus, ProjectionStatus } from "@loci/domain";
import type {
  EmbeddingCacheStatus as ProtoCacheStatus,
  JobsStatus as ProtoJobsStatus,
  LedgerStatus as ProtoLedgerStatus,
  LociStatus as ProtoStatus,
  ProjectionStatus as ProtoProjectionStatus,
} from "../gen/loci/v1/status.ts";
import { instantFromProto, instantToProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { int64FromProto, optionalInt64FromProto, required, withoutUndefined } from "./read-value.ts";
import { optionally, writableInt64 } from "./writable-value.ts";

export function statusToProto({ ledger, projections, jobs, embeddingCache }: LociStatus): ProtoStatus {
  return {
    ledger: ledgerToProto(ledger),
    projections: projections.map(projectionToProto),
    jobs: jobs.map(jobsToProto),
    embeddingCache: embeddingCache && cacheToProto(embeddingCache),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function statusFromProto(status: ProtoStatus | undefined): LociStatus {
  const { ledger, projections, jobs, embeddingCache } = required(status, "status");
  return withoutUndefined({
    ledger: ledgerFromProto(required(ledger, "status.ledger")),
    projections: projections.map((projection, index) =>
      projectionFromProto(projection, `status.projections[${index}]`),
    ),
    jobs: jobs.map((ofKind, index) => jobsFromProto(ofKind, `status.jobs[${index}]`)),
    embeddingCache: embeddingCache && cacheFromProto(embeddingCache),
  });
}

function ledgerToProto({ sequence, recordedAt, memories, kept, scopes, bytes }: LedgerStatus): ProtoLedgerStatus {
  return {
    sequence: writableInt64(sequence, "ledger.sequence"),
    recordTime: optionalInstantToProto(recordedAt, "ledger.recordedAt"),
    memories: writableInt64(memories, "ledger.memories"),
    kept: writableInt64(kept, "ledger.kept"),
    scopes: writableInt64(scopes, "ledger.scopes"),
    bytes: optionally(bytes, "ledger.bytes", writableInt64),
  };
}

function ledgerFromProto({ sequence, recordTime, memories, kept, scopes, bytes }: ProtoLedgerStatus): LedgerStatus {
  return withoutUndefined({
    sequence: int64FromProto(sequence, "ledger.sequence"),
    recordedAt: optionalInstantFromProto(recordTime, "ledger.recordTime"),
    memories: int64FromProto(memories, "ledger.memories"),
    kept: int64FromProto(kept, "ledger.kept"),
    scopes: int64FromProto(scopes, "ledger.scopes"),
    bytes: optionalInt64FromProto(bytes, "ledger.bytes"),
  });
}

function projectionToProto(projection: ProjectionStatus): ProtoProjectionStatus {
  const { name, checkpoint, behind, oldest, ratePerSecond, failure } = projection;
  return {
    name,
    checkpoint: optionally(checkpoint, "checkpoint", writableInt64),
    behind: optionally(behind, "behind", writableInt64),
    oldestTime: optionalInstantToProto(oldest, "oldest"),
    ratePerSecond,
    failure: failure && { reason: failure.reason, sinceTime: instantToProto(failure.since, "failure.since") },
  };
}

function projectionFromProto(projection: ProtoProjectionStatus, path: string): ProjectionStatus {
  const { name, checkpoint, behind, oldestTime, ratePerSecond, failure } = projection;
  return withoutUndefined({
    name,
    checkpoint: optionalInt64FromProto(checkpoint, `${path}.checkpoint`),
    behind: optionalInt64FromProto(behind, `${path}.behind`),
    oldest: optionalInstantFromProto(oldestTime, `${path}.oldestTime`),
    ratePerSecond,
    failure: failure && {
      reason: failure.reason,
      since: instantFromProto(failure.sinceTime, `${path}.failure.sinceTime`),
    },
  });
}

function jobsToProto({ kind, queued, running, dead }: JobsStatus): ProtoJobsStatus {
  return {
    kind,
    queued: writableInt64(queued, "queued"),
    running: writableInt64(running, "running"),
    dead: writableInt64(dead, "dead"),
  };
}

function jobsFromProto({ kind, queued, running, dead }: ProtoJobsStatus, path: string): JobsStatus {
  return {
    kind,
    queued: int64FromProto(queued, `${path}.queued`),
    running: int64FromProto(running, `${path}.running`),
    dead: int64FromProto(dead, `${path}.dead`),
  };
}

function cacheToProto(cache: EmbeddingCacheStatus): ProtoCacheStatus {
  const { requested, memory, shared, ledger, embedder, entries, failures } = cache;
  return {
    requested: writableInt64(requested, "requested"),
    memory: writableInt64(memory, "memory"),
    shared: writableInt64(shared, "shared"),
    ledger: writableInt64(ledger, "ledger"),
    embedder: writableInt64(embedder, "embedder"),
    entries: writableInt64(entries, "entries"),
    failures: writableInt64(failures, "failures"),
  };
}

function cacheFromProto(cache: ProtoCacheStatus): EmbeddingCacheStatus {
  const { requested, memory, shared, ledger, embedder, entries, failures } = cache;
  return {
    requested: int64FromProto(requested, "embeddingCache.requested"),
    memory: int64FromProto(memory, "embeddingCache.memory"),
    shared: int64FromProto(shared, "embeddingCache.shared"),
    ledger: int64FromProto(ledger, "embeddingCache.ledger"),
    embedder: int64FromProto(embedder, "embeddingCache.embedder"),
    entries: int64FromProto(entries, "embeddingCache.entries"),
    failures: int64FromProto(failures, "embeddingCache.failures"),
  };
}
