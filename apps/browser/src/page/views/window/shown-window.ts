import type { AssembleContextResponse, DroppedCandidate, Receipt, SectionReceipt } from "@loci/api-web";

/** A section of a window as it is shown. */
export interface ShownSection {
  readonly name: string;
  readonly base: number;
  readonly granted: number;
  readonly needed: number;
  readonly used: number;
  /** What it could take. */
  readonly budget: number;
  /** What stands in it. Undefined: the receipt was kept without its text. */
  readonly content: string | undefined;
}

/** What was considered for a window. */
export interface ShownItem {
  readonly id: string;
  readonly kind: string;
  readonly section: string;
  readonly outcome: string;
  readonly tokens: number;
  readonly wholeTokens: number;
  readonly reason: string | undefined;
  readonly source: string | undefined;
  readonly score: number | undefined;
  /** What a memory said then. Undefined: it is not known here. */
  readonly text?: string | undefined;
}

/** A section of the stable prefix, and what tells whether it is the same in another window. */
export interface ShownPrefixSection {
  readonly name: string;
  readonly hash: string;
}

/** A window: of a context that was assembled, or of a receipt that somebody kept. */
export interface ShownWindow {
  readonly title: string;
  readonly layout: string;
  readonly model: string | undefined;
  readonly tokenizer: string;
  /** All that the window has, and what is not for sections. */
  readonly total: number;
  readonly query: number;
  readonly response: number;
  readonly safety: number;
  readonly unused: number;
  readonly sections: readonly ShownSection[];
  readonly items: readonly ShownItem[];
  readonly stablePrefixHash: string;
  /** Undefined for a receipt, which has the hash alone. */
  readonly stablePrefixTokens: number | undefined;
  /** Of a receipt that the server keeps: its sections without their texts. */
  readonly prefix?: readonly ShownPrefixSection[] | undefined;
  readonly text: string | undefined;
  readonly dropped: readonly DroppedCandidate[];
}

/** The window of a context that was assembled just now. */
export function windowOf(answer: AssembleContextResponse, title: string): ShownWindow | undefined {
  const { receipt, sections, cache, text } = answer;
  if (receipt === undefined) return undefined;
  return {
    ...partsOf(receipt),
    title,
    text,
    stablePrefixTokens: cache?.stablePrefixTokens,
    sections: receipt.sections.map((section) =>
      sectionOf(section, sections.find(({ name }) => name === section.name)?.content),
    ),
  };
}

/** A section as its receipt has it. @param content what stands in it, where that is known */
export function sectionOf(section: SectionReceipt, content: string | undefined): ShownSection {
  return {
    name: section.name,
    base: section.baseTokens,
    granted: section.grantedTokens,
    needed: section.neededTokens,
    used: section.usedTokens,
    budget: section.budgetTokens,
    content,
  };
}

/** All that a receipt says of its window, but for its sections. */
export function partsOf(receipt: Receipt): Omit<ShownWindow, "title" | "text" | "stablePrefixTokens" | "sections"> {
  const { layout, model, tokenizer, window, items, stablePrefixHash, droppedCandidates } = receipt;
  return {
    layout,
    model,
    tokenizer,
    total: window?.totalTokens ?? 0,
    query: window?.queryTokens ?? 0,
    response: window?.responseTokens ?? 0,
    safety: window?.safetyBufferTokens ?? 0,
    unused: window?.unusedTokens ?? 0,
    items: items.map(({ reason, source, score, ...item }) => ({ ...item, reason, source, score })),
    stablePrefixHash,
    dropped: droppedCandidates,
  };
}
