import type { MessageInitShape } from "@bufbuild/protobuf";
import { type FilterSchema, type Memory, MemoryOrder, type MemoryState, type Scope } from "@loci/api-web";

/** Which memories a list has, and in which order. */
export interface MemoryFilter {
  /** Undefined: all that the server's key covers. */
  readonly scope: Scope | undefined;
  readonly state: MemoryState;
  /** Empty: every category. */
  readonly category: string;
  /** What has to stand in the text, in capital or small letters; empty: any text. */
  readonly find: string;
  /** What fields have to be. Undefined: whatever they are. */
  readonly where: MessageInitShape<typeof FilterSchema> | undefined;
  readonly order: MemoryOrder;
}

/** The scopes as requests say them. */
export function scopesOf({ scope }: MemoryFilter): { readonly scopes: Scope[]; readonly allScopes: boolean } {
  return { scopes: scope === undefined ? [] : [scope], allScopes: scope === undefined };
}

/** Whether a memory of the scopes would be in the list, as far as that is known here: what fields have to be the server says. */
export function isListed({ state, category, find }: MemoryFilter, memory: Memory): boolean {
  return (
    memory.state === state &&
    (category === "" || memory.category === category) &&
    memory.text.toLowerCase().includes(find.toLowerCase())
  );
}

/** What a list can be ordered by, the largest first, by the names in the address; the first is the default. */
export const orders = [
  { name: "", title: "newest", order: MemoryOrder.CREATED },
  { name: "changed", title: "last changed", order: MemoryOrder.UPDATED },
  { name: "used", title: "last used", order: MemoryOrder.USED },
  { name: "uses", title: "most used", order: MemoryOrder.USES },
  { name: "importance", title: "most important", order: MemoryOrder.IMPORTANCE },
] as const;
