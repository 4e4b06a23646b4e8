import type { ConversationSummary } from "@loci/core";
import type { ChatMessage, TenantId } from "@loci/domain";

/** A summary, and the messages it covers. */
export interface CachedSummary {
  readonly messages: readonly ChatMessage[];
  readonly summary: ConversationSummary;
}

export interface SummaryCacheOptions {
  /** Together for all summaries, in UTF-16 units of the messages they cover. Default 32,000,000. */
  readonly maxLength?: number | undefined;
}

/** Conversations may begin with the same message; so many of them are told apart. */
const maxAlike = 8;

interface Entry extends CachedSummary {
  readonly length: number;
}

/**
 * Remembers summaries by what they cover: tenant, and every message with its id, as it was when it was summarised. A
 * message that was edited, under whatever id, is another one. Tenants never see each other's.
 */
export class SummaryCache {
  readonly #maxLength: number;
  /** By tenant and first message, the longest unused first. */
  readonly #entries = new Map<string, Entry[]>();
  #length = 0;

  constructor(options: SummaryCacheOptions = {}) {
    this.#maxLength = options.maxLength ?? 32_000_000;
  }

  /** The summary of the longest beginning of these messages that is known. */
  find(tenant: TenantId, messages: readonly ChatMessage[]): CachedSummary | undefined {
    const key = keyOf(tenant, messages);
    const alike = this.#entries.get(key);
    if (alike === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, alike);
    let longest: Entry | undefined;
    for (const entry of alike)
      if (entry.messages.length > (longest?.messages.length ?? 0) && isBeginning(entry.messages, messages))
        longest = entry;
    return longest;
  }

  set(tenant: TenantId, { messages, summary }: CachedSummary): void {
    let length = 0;
    for (const message of messages) length += lengthOf(message);
    if (length > this.#maxLength) return;
    const key = keyOf(tenant, messages);
    const alike = this.#entries.get(key) ?? [];
    this.#entries.delete(key);
    alike.push({ messages, summary, length });
    this.#length += length;
    if (alike.length > maxAlike) this.#forgetFirst(alike);
    for (const [oldest, entries] of this.#entries) {
      if (this.#length <= this.#maxLength) break;
      this.#entries.delete(oldest);
      while (entries.length > 0) this.#forgetFirst(entries);
    }
    while (this.#length > this.#maxLength) this.#forgetFirst(alike);
    this.#entries.set(key, alike);
  }

  #forgetFirst(entries: Entry[]): void {
    this.#length -= entries.shift()?.length ?? 0;
  }
}

function keyOf(tenant: TenantId, [first]: readonly ChatMessage[]): string {
  return JSON.stringify([tenant, first === undefined ? "" : partsOf(first)]);
}

function isBeginning(beginning: readonly ChatMessage[], messages: readonly ChatMessage[]): boolean {
  return (
    beginning.length <= messages.length &&
    beginning.every((message, index) => isSame(message, messages[index] as ChatMessage))
  );
}

/** Texts that are one string in memory, as those of a session in one process are, are compared at once. */
function isSame(left: ChatMessage, right: ChatMessage): boolean {
  if (left === right) return true;
  if (left.role !== right.role || left.id !== right.id) return false;
  if (typeof left.content === "string" && left.tool_calls === undefined && right.tool_calls === undefined)
    return left.content === right.content && left.name === right.name && left.tool_call_id === right.tool_call_id;
  return JSON.stringify(partsOf(left)) === JSON.stringify(partsOf(right));
}

function partsOf({
  role,
  content,
  name,
  id,
  tool_calls: calls,
  tool_call_id: answered,
}: ChatMessage): readonly unknown[] {
  return [role, content, name, id, calls, answered];
}

function lengthOf({ content, tool_calls: calls }: ChatMessage): number {
  const length = typeof content === "string" ? content.length : (JSON.stringify(content)?.length ?? 0);
  // An empty message takes room, too.
  return 100 + length + (calls === undefined ? 0 : JSON.stringify(calls).length);
}
