import { MemoryOrder, MemoryState } from "@loci/api-web";
import { Meter } from "../../parts/meter.tsx";
import { shownAge, shownTime } from "../../text/times.ts";
import type { MemoryRow } from "./memory-row.ts";

/** One memory on one line. Undefined: it is not loaded yet. */
export function MemoryRowCells({ row, order }: { readonly row: MemoryRow | undefined; readonly order: MemoryOrder }) {
  if (row === undefined) return <span class="row-unknown">…</span>;
  const { category, text, scope, importance, state } = row;
  const isGone = state === MemoryState.DELETED;
  return (
    <>
      <span class="row-category" data-category={category}>
        {category}
      </span>
      <bdi class={isGone ? "row-text row-gone" : "row-text"}>{text}</bdi>
      <bdi class="row-scope">{isGone ? "forgotten" : scope}</bdi>
      <span class="row-importance">
        <Meter share={importance} label={`importance ${importance.toFixed(2)}`} />
      </span>
      <OrderedBy row={row} order={order} />
    </>
  );
}

/** What the list is ordered by, or the age where a column of its own has it. */
function OrderedBy({ row: { createdAt, updatedAt, usedAt, uses }, order }: { row: MemoryRow; order: MemoryOrder }) {
  if (order === MemoryOrder.USES) return <span class="row-age">{uses.toLocaleString("en")}×</span>;
  const time = order === MemoryOrder.USED ? usedAt : order === MemoryOrder.UPDATED ? updatedAt : createdAt;
  if (time === undefined) return <span class="row-age">never</span>;
  return (
    <span class="row-age" title={shownTime(time)}>
      {shownAge(time)}
    </span>
  );
}
