import type { CachePlan, ItemReceipt, Receipt, SectionReceipt } from "@loci/domain";
import { messageTokens, type RenderedMessage } from "../history/message-unit.ts";
import { wholeMemoryTokens } from "../knowledge/memory-item.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { AssemblyInput } from "./assembly-input.ts";
import type { FittedWindow } from "./fit-window.ts";
import { HistorySection } from "./history-section.ts";
import type { RenderedQuery } from "./rendered-query.ts";
import type { FittedSection, SectionDraft } from "./section-draft.ts";
import { TextSection } from "./text-section.ts";
import type { TokenMeter } from "./token-meter.ts";

export interface ReceiptParts {
  readonly input: AssemblyInput;
  readonly drafts: readonly SectionDraft[];
  readonly window: FittedWindow;
  /** Every recalled memory, best first. */
  readonly placed: readonly PlacedMemory[];
  readonly query: RenderedQuery;
  readonly meter: TokenMeter;
  readonly budgetTokens: number;
  readonly cache: CachePlan;
}

export function receiptOf(parts: ReceiptParts): Receipt {
  const { input, drafts, window, query, budgetTokens } = parts;
  const { plan, counter, model, recall } = input;
  const { textTokens, messagesTokens } = window.size;
  return {
    layout: input.layout.name,
    profile: input.profile,
    mode: input.mode,
    ...(model === undefined ? {} : { model: model.name }),
    tokenizer: counter.id,
    estimated: counter.estimated,
    window: {
      preset: plan.preset,
      totalTokens: plan.totalTokens,
      sectionsTokens: plan.sectionsTokens,
      queryTokens: plan.queryTokens,
      responseTokens: plan.responseTokens,
      safetyBufferTokens: plan.safetyBufferTokens,
      unusedTokens: budgetTokens - Math.max(textTokens, messagesTokens),
    },
    evaluationTime: input.evaluationTime,
    sections: drafts.map((draft, index) => sectionReceipt(draft, window, index)),
    items: [
      ...drafts.flatMap((draft, index) => textReceipts(draft, window.fitted[index], input)),
      {
        id: "text:query",
        kind: "text",
        section: "query",
        outcome: "kept",
        tokens: query.textTokens,
        wholeTokens: query.textTokens,
      },
      ...drafts.flatMap((draft, index) =>
        draft instanceof HistorySection ? messageReceipts(draft, window.fitted[index]) : [],
      ),
      ...memoryReceipts(parts),
    ],
    droppedCandidates: recall?.dropped ?? [],
    stablePrefixHash: parts.cache.stablePrefixHash,
  };
}

function sectionReceipt(draft: SectionDraft, { fitted, granted }: FittedWindow, index: number): SectionReceipt {
  const usedTokens = fitted[index]?.textTokens ?? 0;
  const grantedTokens = granted[index] ?? 0;
  const budget = Math.max(draft.baseTokens, grantedTokens);
  return {
    name: draft.section.name,
    rank: draft.rank,
    baseTokens: draft.baseTokens,
    grantedTokens,
    neededTokens: draft.neededTokens,
    usedTokens,
    utilization: budget === 0 ? 0 : usedTokens / budget,
  };
}

function textReceipts(
  draft: SectionDraft,
  fitted: FittedSection | undefined,
  input: AssemblyInput,
): readonly ItemReceipt[] {
  const { source, name } = draft.section;
  if (!(draft instanceof TextSection) || source === "history" || source === "knowledge") return [];
  if (input[source] === undefined) return [];
  const { wholeTextTokens: wholeTokens } = draft;
  const text = fitted?.text;
  const item = { id: `text:${name}`, kind: "text", section: name } as const;
  if (text === undefined) {
    const reason = wholeTokens === 0 ? "EMPTY" : "SECTION_FULL";
    return [{ ...item, outcome: "dropped", tokens: 0, wholeTokens, reason }];
  }
  if (!text.isShortened) return [{ ...item, outcome: "kept", tokens: text.tokens, wholeTokens }];
  return [{ ...item, outcome: "shortened", tokens: text.tokens, wholeTokens, reason: "SECTION_FULL" }];
}

function messageReceipts(draft: HistorySection, fitted: FittedSection | undefined): readonly ItemReceipt[] {
  const { units, empty, repeatsQuery } = draft.conversation;
  const kept = new Set(fitted?.units);
  const receipts: (readonly [index: number, receipt: ItemReceipt])[] = [];
  const add = (rendered: RenderedMessage, reason: ItemReceipt["reason"]): void => {
    const { index } = rendered;
    const wholeTokens = messageTokens(rendered);
    const item = { id: `message:${index}`, kind: "message", section: draft.section.name, wholeTokens } as const;
    const outcome = {
      outcome: reason === undefined ? "kept" : "dropped",
      tokens: reason === undefined ? wholeTokens : 0,
    } as const;
    receipts.push([index, { ...item, ...outcome, ...(reason === undefined ? {} : { reason }) }]);
  };
  for (const unit of units)
    for (const message of unit.messages) add(message, kept.has(unit) ? undefined : "OLDER_THAN_WINDOW");
  for (const message of empty) add(message, "EMPTY");
  if (repeatsQuery !== undefined) add(repeatsQuery, "REPEATS_QUERY");
  return receipts.toSorted(([left], [right]) => left - right).map(([, receipt]) => receipt);
}

function memoryReceipts({ drafts, window, placed, meter }: ReceiptParts): readonly ItemReceipt[] {
  const standsIn = new Map<string, SectionDraft>();
  for (const [index, { kept }] of window.fitted.entries())
    for (const { hit } of kept) standsIn.set(hit.memory.id, drafts[index] as SectionDraft);
  return placed.map((memory): ItemReceipt => {
    const { hit } = memory;
    const section = standsIn.get(hit.memory.id)?.section;
    const meantFor = drafts.find(({ section: { source } }) => source === memory.primary)?.section.name;
    const sourceId = hit.memory.provenance?.sourceId;
    const { outcome, reason } = memoryOutcome(memory, section?.source);
    return {
      id: hit.memory.id,
      kind: "memory",
      section: section?.name ?? meantFor ?? memory.primary,
      outcome,
      tokens: section === undefined ? 0 : memory.tokens,
      wholeTokens: wholeMemoryTokens(memory, meter.count),
      ...(reason === undefined ? {} : { reason }),
      ...(sourceId === undefined ? {} : { source: sourceId }),
      score: hit.score,
      parts: hit.parts,
    };
  });
}

function memoryOutcome(
  { hit, primary, place, fallback }: PlacedMemory,
  source: string | undefined,
): Pick<ItemReceipt, "outcome" | "reason"> {
  if (source === undefined) {
    const hadSecondary = fallback !== undefined || place !== primary;
    return { outcome: "dropped", reason: hadSecondary ? "NO_SECTION_LEFT" : "SECTION_FULL" };
  }
  if (hit.truncated) return { outcome: "shortened", reason: "ITEM_MAXIMUM" };
  return source === primary ? { outcome: "kept" } : { outcome: "kept", reason: "MOVED_TO_SECONDARY_SECTION" };
}
