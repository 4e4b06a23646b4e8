import type { DescMethod, DescMethodServerStreaming, DescMethodUnary } from "@bufbuild/protobuf";
import {
  BlockService,
  CaptureService,
  ContextService,
  MemoryService,
  StatusService,
  UsageRecording,
} from "@loci/api-web";

/** A call that the page makes. */
export interface AllowedMethod {
  readonly method: DescMethodUnary | DescMethodServerStreaming;
  /** It changes something: not with `--read-only`. */
  readonly writes: boolean;
}

const { method: memories } = MemoryService;
const { method: captures } = CaptureService;
const { method: blocks } = BlockService;

/** All that the gateway forwards. What the page does not need it cannot be made to do. */
export const allowedMethods: readonly AllowedMethod[] = [
  ...reading(
    memories.getMemory,
    memories.batchGetMemories,
    memories.listMemories,
    memories.listMemoryIds,
    memories.listMemoryScopes,
    memories.listMemoryVersions,
    memories.recallMemories,
    memories.watchMemories,
    ContextService.method.assembleContext,
    ContextService.method.listReceipts,
    ContextService.method.getReceipt,
    captures.getCapture,
    captures.listCaptures,
    captures.listEvidence,
    captures.listReviews,
    captures.replayCapture,
    blocks.getBlock,
    blocks.getBlockEdit,
    blocks.listBlockEdits,
    StatusService.method.getCaller,
    StatusService.method.getStatus,
  ),
  ...writing(
    memories.updateMemory,
    memories.deleteMemory,
    memories.restoreMemory,
    captures.decideReview,
    captures.undoCapture,
    blocks.approveBlockEdit,
    blocks.rejectBlockEdit,
    blocks.restoreBlock,
  ),
];

/** Looking changes nothing, whatever the request says: nothing that is shown counts as used. */
export function withoutTraces<Request extends object>(method: DescMethod, request: Request): Request {
  if (method === memories.recallMemories) return { ...request, recordUsage: false };
  if (method === ContextService.method.assembleContext) return { ...request, recordUsage: UsageRecording.NONE };
  return request;
}

function reading(...methods: readonly AllowedMethod["method"][]): AllowedMethod[] {
  return methods.map((method) => ({ method, writes: false }));
}

function writing(...methods: readonly DescMethodUnary[]): AllowedMethod[] {
  return methods.map((method) => ({ method, writes: true }));
}
