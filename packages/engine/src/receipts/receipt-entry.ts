import { createHash } from "node:crypto";
import type {
  AssembledContext,
  Instant,
  ItemReceipt,
  KeptReceipt,
  KeptReceiptSummary,
  MemoryId,
  MemoryVersion,
  PrefixSection,
  Principal,
  Receipt,
  Scope,
  SessionKey,
} from "@loci/domain";

/** What the summary of a receipt is kept as. */
export interface StoredSummary extends KeptReceiptSummary {
  /** What the scopes of whoever asked cover. Only where the receipt names no scope, which says who may read it otherwise. */
  readonly patterns?: readonly string[] | undefined;
}

/** A receipt that is to be kept, without any text. */
export interface ReceiptEntry extends KeptReceipt {
  readonly summary: StoredSummary;
}

/** A memory that a context may show, of the version that was recalled. */
export interface ConsideredMemory {
  readonly id: MemoryId;
  readonly version: number;
  readonly scope: Scope;
}

/** What an assembly was made of. */
export interface AssembledWith {
  readonly principal: Principal;
  readonly at: Instant;
  /** Whose memories were asked for, and whose blocks and turns are shown. */
  readonly scopes: readonly Scope[];
  readonly session: SessionKey | undefined;
  readonly considered: Iterable<ConsideredMemory>;
}

const hashDigits = 16;

/** What is kept of an assembly. */
export function receiptEntry(
  id: string,
  { receipt, sections, usage, cache }: Pick<AssembledContext, "receipt" | "sections" | "usage" | "cache">,
  { principal, at, scopes, session, considered }: AssembledWith,
): ReceiptEntry {
  const outcomes = { kept: 0, shortened: 0, dropped: 0 };
  for (const { outcome } of receipt.items) outcomes[outcome]++;
  return {
    summary: {
      id,
      assembledAt: at,
      subject: principal.subject,
      scopes,
      session,
      layout: receipt.layout,
      model: receipt.model,
      usage,
      ...outcomes,
      stablePrefixHash: receipt.stablePrefixHash,
      stablePrefixTokens: cache.stablePrefixTokens,
      ...(scopes.length === 0 ? { patterns: principal.scopePatterns } : {}),
    },
    receipt: withoutTexts(receipt),
    prefix: prefixSections(sections, cache.breakpointAfter),
    memories: versionsOf(receipt, considered),
  };
}

/** Where a memory comes from is a part of what it says. */
function withoutTexts(receipt: Receipt): Receipt {
  return { ...receipt, items: receipt.items.map(withoutSource), droppedCandidates: [] };
}

function withoutSource(item: ItemReceipt): ItemReceipt {
  const { source: _, ...rest } = item;
  return rest;
}

function prefixSections(sections: AssembledContext["sections"], last: string | undefined): readonly PrefixSection[] {
  const end = sections.findIndex(({ name }) => name === last) + 1;
  return sections.slice(0, end).map(({ name, content }) => ({
    name,
    hash: createHash("sha256").update(content).digest("hex").slice(0, hashDigits),
  }));
}

function versionsOf({ items }: Receipt, considered: Iterable<ConsideredMemory>): readonly MemoryVersion[] {
  const ids = new Set<string>();
  for (const { id, kind } of items) if (kind === "memory") ids.add(id);
  const versions: MemoryVersion[] = [];
  // A memory may be a hit and stand in every context besides.
  for (const { id, version } of considered) if (ids.delete(id)) versions.push({ id, version });
  return versions;
}
