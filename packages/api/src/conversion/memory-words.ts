import type { EmbeddingState, MemoryState, Origin, ProvenanceKind, RememberInput, Trust, TurnRole } from "@loci/domain";
import {
  EmbeddingState as ProtoEmbeddingState,
  MemoryState as ProtoMemoryState,
  Origin as ProtoOrigin,
  ProvenanceKind as ProtoProvenanceKind,
  Repeat as ProtoRepeat,
  Trust as ProtoTrust,
  TurnRole as ProtoTurnRole,
} from "../gen/loci/v1/memory.ts";
import { Enumeration } from "./enumeration.ts";

// The closed sets of words a memory is described with.

export const origins: Enumeration<Origin, ProtoOrigin> = new Enumeration({
  manual: ProtoOrigin.MANUAL,
  capture: ProtoOrigin.CAPTURE,
  correction: ProtoOrigin.CORRECTION,
  post_mortem: ProtoOrigin.POST_MORTEM,
  import: ProtoOrigin.IMPORT,
});

export const repeats: Enumeration<NonNullable<RememberInput["repeat"]>, ProtoRepeat> = new Enumeration({
  refresh: ProtoRepeat.REFRESH,
  add: ProtoRepeat.ADD,
});

export const trusts: Enumeration<Trust, ProtoTrust> = new Enumeration({
  trusted: ProtoTrust.TRUSTED,
  untrusted: ProtoTrust.UNTRUSTED,
});

export const provenanceKinds: Enumeration<ProvenanceKind, ProtoProvenanceKind> = new Enumeration({
  adr: ProtoProvenanceKind.ADR,
  commit: ProtoProvenanceKind.COMMIT,
  conversation: ProtoProvenanceKind.CONVERSATION,
  incident: ProtoProvenanceKind.INCIDENT,
  document: ProtoProvenanceKind.DOCUMENT,
});

export const turnRoles: Enumeration<TurnRole, ProtoTurnRole> = new Enumeration({
  person: ProtoTurnRole.PERSON,
  assistant: ProtoTurnRole.ASSISTANT,
  tool: ProtoTurnRole.TOOL,
});

export const memoryStates: Enumeration<MemoryState, ProtoMemoryState> = new Enumeration({
  active: ProtoMemoryState.ACTIVE,
  quarantined: ProtoMemoryState.QUARANTINED,
  deleted: ProtoMemoryState.DELETED,
});

export const embeddingStates: Enumeration<EmbeddingState, ProtoEmbeddingState> = new Enumeration({
  ready: ProtoEmbeddingState.READY,
  pending: ProtoEmbeddingState.PENDING,
});
