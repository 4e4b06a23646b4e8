import type { ItemOutcome, ItemReason, ItemReceipt, Receipt, ReceiptCheck, SectionReceipt } from "@loci/domain";
import type {
  ItemReceipt as ProtoItemReceipt,
  Receipt as ProtoReceipt,
  SectionReceipt as ProtoSectionReceipt,
  WindowReceipt,
} from "../gen/loci/v1/context.ts";
import { droppedCandidateFromProto, droppedCandidateToProto } from "./dropped-candidate.ts";
import { instantFromProto, instantToProto } from "./instant.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { scorePartsFromProto, scorePartsToProto } from "./score-parts.ts";
import { rankProfiles, waterfallModes } from "./window.ts";

export function receiptToProto(receipt: Receipt): ProtoReceipt {
  return {
    layout: receipt.layout,
    profile: rankProfiles.toProto(receipt.profile, "receipt.profile"),
    mode: waterfallModes.toProto(receipt.mode, "receipt.mode"),
    model: receipt.model,
    tokenizer: receipt.tokenizer,
    estimated: receipt.estimated,
    window: copyWindow(receipt.window),
    check: receipt.check === undefined ? undefined : copyCheck(receipt.check),
    evaluationTime: instantToProto(receipt.evaluationTime, "receipt.evaluationTime"),
    sections: receipt.sections.map(copySection),
    items: receipt.items.map(itemToProto),
    droppedCandidates: receipt.droppedCandidates.map(droppedCandidateToProto),
    stablePrefixHash: receipt.stablePrefixHash,
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function receiptFromProto(receipt: ProtoReceipt, path: string): Receipt {
  return withoutUndefined<Receipt>({
    layout: receipt.layout,
    profile: rankProfiles.fromProto(receipt.profile, `${path}.profile`),
    mode: waterfallModes.fromProto(receipt.mode, `${path}.mode`),
    model: receipt.model,
    tokenizer: receipt.tokenizer,
    estimated: receipt.estimated,
    window: copyWindow(required(receipt.window, `${path}.window`)),
    check: receipt.check === undefined ? undefined : copyCheck(receipt.check),
    evaluationTime: instantFromProto(receipt.evaluationTime, `${path}.evaluationTime`),
    sections: receipt.sections.map(copySection),
    items: receipt.items.map(itemFromProto),
    droppedCandidates: receipt.droppedCandidates.map(droppedCandidateFromProto),
    stablePrefixHash: receipt.stablePrefixHash,
  });
}

/** The two forms of a window are the same. */
function copyWindow(window: Receipt["window"] & WindowReceipt): Receipt["window"] & WindowReceipt {
  const { preset, totalTokens, sectionsTokens, queryTokens, responseTokens, safetyBufferTokens, unusedTokens } = window;
  return { preset, totalTokens, sectionsTokens, queryTokens, responseTokens, safetyBufferTokens, unusedTokens };
}

/** The two forms of a check are the same. */
function copyCheck({ tokenizer, estimated, totalTokens, messagesTokens, budgetTokens }: ReceiptCheck): ReceiptCheck {
  return { tokenizer, estimated, totalTokens, messagesTokens, budgetTokens };
}

/** The two forms of a section are the same. */
function copySection(section: SectionReceipt & ProtoSectionReceipt): SectionReceipt & ProtoSectionReceipt {
  const { name, rank, baseTokens, grantedTokens, neededTokens, usedTokens, budgetTokens, utilization } = section;
  return { name, rank, baseTokens, grantedTokens, neededTokens, usedTokens, budgetTokens, utilization };
}

function itemToProto(item: ItemReceipt): ProtoItemReceipt {
  const { id, kind, section, outcome, count, tokens, wholeTokens, reason, source, score, parts } = item;
  return {
    id,
    kind,
    section,
    outcome,
    count,
    tokens,
    wholeTokens,
    reason,
    source,
    score,
    parts: parts === undefined ? undefined : scorePartsToProto(parts),
  };
}

function itemFromProto(item: ProtoItemReceipt): ItemReceipt {
  const { id, section, count, tokens, wholeTokens, source, score, parts } = item;
  return withoutUndefined({
    id,
    kind: item.kind as ItemReceipt["kind"],
    section,
    outcome: item.outcome as ItemOutcome,
    count,
    tokens,
    wholeTokens,
    reason: item.reason as ItemReason | undefined,
    source,
    score,
    parts: parts === undefined ? undefined : scorePartsFromProto(parts),
  });
}
