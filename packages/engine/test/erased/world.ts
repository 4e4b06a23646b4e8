import { blockEditStates, type Loci, LociError, type Memory, roles, type ScopeText, tenantId } from "@loci/domain";
import type { TestEngine } from "../support/test-engine.ts";

export const tenants = ["acme", "acme-corp"].map(tenantId);
export const scopes: readonly ScopeText[] = ["user:alice", "user:alicea", "session:alice", "global"];
export const day = 86_400_000;

/** What a step may draw on: numbers, of which it takes as many as it needs. */
export interface Step {
  readonly kind: number;
  readonly tenant: number;
  readonly scope: number;
  readonly pick: number;
}

/** The plainest idea of what is stored: which words belong to what, and which of them have to be gone. */
export class World {
  readonly opened: TestEngine;
  readonly words = new Map<string, { readonly tenant: string; readonly scope: string; isErased: boolean }>();
  /** Calls that were made, to be made again word for word. */
  readonly calls: (() => Promise<unknown>)[] = [];
  readonly exported: { readonly tenant: number; readonly lines: readonly string[] }[] = [];
  /** With everything that is kept. */
  readonly exportedAll: { readonly tenant: number; readonly lines: readonly string[] }[] = [];
  readonly known: { readonly tenant: number; readonly memory: Memory }[] = [];
  readonly turns = new Map<string, { readonly id: string; readonly content: string }[]>();
  readonly captures: { readonly tenant: number; readonly id: string }[] = [];
  #requests = 0;

  constructor(opened: TestEngine) {
    this.opened = opened;
  }

  loci(tenant: number): Loci {
    return this.opened.as({ tenant: tenants[tenant] as (typeof tenants)[number], roles });
  }

  word(tenant: number, scope: ScopeText): string {
    const word = `canary${this.words.size}x`;
    this.words.set(word, { tenant: String(tenants[tenant]), scope, isErased: false });
    return word;
  }

  async exportedLines(tenant: number): Promise<readonly string[]> {
    const lines: string[] = [];
    for await (const { line } of this.loci(tenant).maintenance.exportRecords()) lines.push(line);
    return lines;
  }

  request(): string {
    return `request ${++this.#requests}`;
  }

  /** What is refused has stored nothing, and is no repetition later. */
  async again(call: () => Promise<unknown>): Promise<void> {
    await call();
    this.calls.push(call);
  }

  /** What is in a scope, or in all of the tenant's, by now. */
  wordsOf(tenant: number, scope: ScopeText | undefined): readonly { isErased: boolean }[] {
    return [...this.words.values()].filter(
      (word) => word.tenant === tenants[tenant] && (scope === undefined || word.scope === scope),
    );
  }

  /** Everything there is to see, by every way there is. @throws Error when it holds a word that it must not */
  async check(): Promise<void> {
    for (const [index, tenant] of tenants.entries()) {
      const loci = this.loci(index);
      const seen: unknown[] = [await loci.maintenance.exportMemories({ pageSize: 1_000 })];
      seen.push(await this.exportedLines(index));
      seen.push(await loci.memories.list({ scopes: scopes, pageSize: 1_000 }));
      for await (const change of loci.memories.watch({ scopes: "*", since: "beginning" })) {
        seen.push(change);
        if (change.type === "reached") break;
      }
      const words = [...this.words.keys()].join(" ");
      seen.push(await loci.recall({ query: words, scopes, limit: 100, maxTokens: 100_000, explain: true }));
      seen.push(await this.opened.ledger.changes(tenant, 0, 10_000));
      seen.push(...(await everythingKept(loci)));
      for (const { id } of this.captures.filter((one) => one.tenant === index))
        seen.push(await loci.captures.get(id).catch(quiet));
      for (const { memory } of this.known.filter((one) => one.tenant === index))
        seen.push(await loci.memories.versions(memory.id).catch(quiet));
      const text = JSON.stringify(seen);
      for (const [word, { tenant: owner, scope, isErased }] of this.words)
        if ((isErased || owner !== tenant) && text.includes(word))
          throw new Error(`${tenant} shows ${word} of ${scope}`);
    }
  }
}

const goneReasons = new Set([
  "MEMORY_ERASED",
  "MEMORY_NOT_FOUND",
  "VERSION_NOT_FOUND",
  "VERSION_CONFLICT",
  "SESSION_NOT_FOUND",
  "SESSION_EXISTS",
  "SESSION_CLOSED",
  "TURN_CONFLICT",
  "INVALID_REQUEST",
  "BLOCK_NOT_FOUND",
  "BLOCK_EXISTS",
  "EDIT_NOT_FOUND",
  "EDIT_NOT_PENDING",
  "EDIT_CONFLICT",
  "INVALID_BLOCK",
  "CAPTURE_NOT_FOUND",
  "CAPTURE_NOT_UNDOABLE",
  "REVIEW_NOT_FOUND",
]);

/** What sessions, blocks and captures show. */
async function everythingKept(loci: Loci): Promise<readonly unknown[]> {
  const { sessions } = await loci.sessions.list({ scopes, pageSize: 1_000 });
  const seen: unknown[] = [sessions];
  for (const { scope, id } of sessions)
    seen.push(
      await loci.sessions.turns({ scope, id }),
      await loci.sessions.turnState.load({ scope, id }),
      await loci.assemble({ session: { scope, id }, query: "What now?", layout: "layeredFiles" }),
    );
  for (const scope of scopes) {
    seen.push(await loci.sessions.dailyLog({ scope, date: "2026-01-01" }));
    seen.push(await loci.captures.reviews.list({ scopes: [scope] }));
    if (scope.startsWith("user:")) seen.push(...(await everythingOf(loci, scope)));
  }
  return seen;
}

async function everythingOf(loci: Loci, owner: ScopeText): Promise<readonly unknown[]> {
  const states = blockEditStates;
  const seen: unknown[] = [await loci.blocks.list({ owner }), await loci.blocks.listEdits({ owner, states })];
  for (const label of ["human", "core_memory"])
    seen.push(
      await loci.blocks.get({ owner, label }).catch(quiet),
      await loci.blocks.history({ owner, label }).catch(quiet),
    );
  return seen;
}

/** What a call on something that is not there any more may say. */
export function quiet(error: unknown): void {
  if (!LociError.is(error) || !goneReasons.has(error.reason)) throw error;
}
