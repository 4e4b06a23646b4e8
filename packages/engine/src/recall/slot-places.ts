import { type CallOptions, formatScope, isNonEmpty, type MemoryRecord, type Scope, type TenantId } from "@loci/domain";
import { type Ledger, type StoredMemory, valuesOfSlot } from "@loci/ledger";

/** A slot in a scope: of its values the newest holds. */
export interface SlotPlace {
  readonly scope: Scope;
  readonly slot: string;
}

/** The slots that memories have, each with its scope, once. */
export function slotPlacesOf(memories: Iterable<Pick<MemoryRecord, "scope" | "slot">>): readonly SlotPlace[] {
  const places = new Map<string, SlotPlace>();
  for (const { scope, slot } of memories)
    if (slot !== undefined) places.set(slotPlaceKey({ scope, slot }), { scope, slot });
  return [...places.values()];
}

/** No scope holds a line break. */
export function slotPlaceKey({ scope, slot }: SlotPlace): string {
  return `${formatScope(scope)}\n${slot}`;
}

/** Active memories that have one of the slots in its scope, in no particular order: of each the last few that were stored. */
export async function valuesAtSlots(
  ledger: Pick<Ledger, "bySlots">,
  tenant: TenantId,
  places: readonly SlotPlace[],
  call: CallOptions,
): Promise<readonly StoredMemory[]> {
  const scopes = [...new Map(places.map(({ scope }) => [formatScope(scope), scope])).values()];
  if (!isNonEmpty(scopes)) return [];
  const slots = [...new Set(places.map(({ slot }) => slot))];
  const wanted = new Set(places.map(slotPlaceKey));
  const found = await ledger.bySlots(tenant, { scopes, slots, limitOfEach: valuesOfSlot }, call);
  return found.filter(({ memory: { scope, slot } }) => slot !== undefined && wanted.has(slotPlaceKey({ scope, slot })));
}
