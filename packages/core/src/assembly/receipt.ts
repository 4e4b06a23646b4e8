import type { CachePlan, ItemReceipt, Receipt, SectionReceipt } from "@loci/domain";
import type { Conversation } from "../history/conversation.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { AssemblyInput } from "./assembly-input.ts";
import type { FittedWindow } from "./fit-window.ts";
import { dearestForm } from "./measure.ts";
import { type HistoryReceiptParts, messageReceipts } from "./message-receipts.ts";
import type { RenderedQuery } from "./rendered-query.ts";
import type { FittedSection, SectionDraft } from "./section-draft.ts";
import { TextSection } from "./text-section.ts";

export interface ReceiptParts {
  readonly input: AssemblyInput;
  readonly drafts: readonly SectionDraft[];
  readonly window: FittedWindow;
  /** What each section started from, in the order of the drafts. */
  readonly bases: readonly number[];
  /** Every recalled memory, best first. */
  readonly placed: readonly PlacedMemory[];
  readonly query: RenderedQuery;
  readonly conversation: Conversation;
  readonly budgetTokens: number;
  readonly cache: CachePlan;
}

export function receiptOf(parts: ReceiptParts): Receipt {
  const { input, drafts, window, query, conversation, budgetTokens } = parts;
  const { plan, counter, model, recall } = input;
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
      unusedTokens: budgetTokens - dearestForm(window.size),
    },
    ...checkOf(parts),
    evaluationTime: input.evaluationTime,
    sections: drafts.map((_, index) => sectionReceipt(parts, index)),
    items: [
      ...drafts.flatMap((draft, index) => textReceipts(draft, window.fitted[index])),
      ...queryReceipts(query),
      ...summaryReceipts(parts),
      ...messageReceipts(conversation, historyOf(parts)),
      ...memoryReceipts(parts),
    ],
    droppedCandidates: recall?.dropped ?? [],
    stablePrefixHash: parts.cache.stablePrefixHash,
  };
}

function queryReceipts({ text, textTokens: tokens }: RenderedQuery): readonly ItemReceipt[] {
  if (text === undefined) return [];
  return [{ id: "text:query", kind: "text", section: "query", outcome: "kept", tokens, wholeTokens: tokens }];
}

function checkOf({ input, window, budgetTokens }: ReceiptParts): Pick<Receipt, "check"> {
  const { checkCounter } = input;
  if (checkCounter === undefined || window.checkedSize === undefined) return {};
  const { textTokens: totalTokens, messagesTokens } = window.checkedSize;
  const { id: tokenizer, estimated } = checkCounter;
  return { check: { tokenizer, estimated, totalTokens, messagesTokens, budgetTokens } };
}

function sectionReceipt({ input, drafts, bases, window }: ReceiptParts, index: number): SectionReceipt {
  const draft = drafts[index] as SectionDraft;
  const baseTokens = bases[index] as number;
  const { name } = draft.section;
  const usedTokens = window.fitted[index]?.textTokens ?? 0;
  const grantedTokens = window.granted[index] ?? 0;
  const budgetTokens =
    input.mode === "sequential" ? sequentialBudget(input, window, index) : Math.max(baseTokens, grantedTokens);
  return {
    name,
    rank: draft.rank,
    baseTokens,
    grantedTokens,
    neededTokens: draft.neededTokens,
    usedTokens,
    budgetTokens,
    utilization: budgetTokens === 0 ? 0 : usedTokens / budgetTokens,
  };
}

/** In `sequential` a section has no budget of its own but its maximum; else it could have had what is left, too. */
function sequentialBudget({ layout, plan }: AssemblyInput, { granted }: FittedWindow, index: number): number {
  const others = granted.reduce((sum, tokens, other) => (other === index ? sum : sum + tokens), 0);
  const maximum = plan.limits[layout.sections[index]?.name ?? ""]?.max ?? Infinity;
  return Math.max(granted[index] ?? 0, Math.min(maximum, plan.sectionsTokens - others));
}

function textReceipts(draft: SectionDraft, fitted: FittedSection | undefined): readonly ItemReceipt[] {
  if (!(draft instanceof TextSection)) return [];
  const section = draft.section.name;
  let position = 0;
  return draft.runs.flatMap((run) =>
    run.parts.map((part): ItemReceipt => {
      const { id, kind } = part;
      const wholeTokens = run.wholeTokensOf(part);
      const { outcome, tokens } = fitted?.texts?.[position++] ?? { outcome: "dropped", tokens: 0 };
      const item = { id, kind, section, outcome, tokens, wholeTokens };
      if (outcome === "kept") return item;
      return { ...item, reason: wholeTokens === 0 ? "EMPTY" : "SECTION_FULL" };
    }),
  );
}

function summaryReceipts({ drafts, window }: ReceiptParts): readonly ItemReceipt[] {
  return window.fitted.flatMap(({ conversation }, index): readonly ItemReceipt[] => {
    const { name } = (drafts[index] as SectionDraft).section;
    const summary = conversation?.summary;
    if (summary === undefined) return [];
    const { tokens, wholeTokens } = summary;
    const item = { id: `summary:${name}`, kind: "summary", section: name } as const;
    return [
      summary.isShortened
        ? { ...item, outcome: "shortened", tokens, wholeTokens, reason: "ITEM_MAXIMUM" }
        : { ...item, outcome: "kept", tokens, wholeTokens },
    ];
  });
}

/** The section of the conversation, when the layout has one. */
function historyOf({ drafts, window }: ReceiptParts): HistoryReceiptParts | undefined {
  const index = drafts.findIndex(({ section }) => section.source === "history");
  const section = drafts[index]?.section.name;
  const turns = window.fitted[index]?.conversation;
  return section === undefined ? undefined : { section, turns };
}

function memoryReceipts({ drafts, window, placed }: ReceiptParts): readonly ItemReceipt[] {
  const standsIn = new Map<
    PlacedMemory["hit"]["memory"]["id"],
    { readonly draft: SectionDraft; readonly savedTokens: number }
  >();
  for (const [index, { kept, continued }] of window.fitted.entries())
    for (const memory of kept) {
      const shown = continued?.has(memory) === true ? memory.continued : memory;
      const savedTokens = memory.tokens - (shown ?? memory).tokens;
      standsIn.set(memory.hit.memory.id, { draft: drafts[index] as SectionDraft, savedTokens });
    }
  return placed.map((memory): ItemReceipt => {
    const { hit } = memory;
    const place = standsIn.get(hit.memory.id);
    const section = place?.draft.section;
    const savedTokens = place?.savedTokens ?? 0;
    const meantFor = drafts.find(({ section: { source } }) => source === memory.primary)?.section.name;
    const sourceId = hit.memory.provenance?.sourceId;
    const { outcome, reason } = memoryOutcome(memory, section?.source);
    return {
      id: hit.memory.id,
      kind: "memory",
      section: section?.name ?? meantFor ?? memory.primary,
      outcome,
      tokens: section === undefined ? 0 : memory.tokens - savedTokens,
      wholeTokens: memory.wholeTokens - savedTokens,
      ...(reason === undefined ? {} : { reason }),
      ...(sourceId === undefined ? {} : { source: sourceId }),
      ...(hit.score === undefined ? {} : { score: hit.score }),
      ...(hit.parts === undefined ? {} : { parts: hit.parts }),
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
