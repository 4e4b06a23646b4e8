import { MemoryState } from "@loci/api-web";
import { Meter } from "../../parts/meter.tsx";
import { shownAge, shownTime } from "../../text/times.ts";
import type { MemoryRow } from "./memory-row.ts";

/** One memory on one line. Undefined: it is not loaded yet. */
export function MemoryRowCells({ row }: { readonly row: MemoryRow | undefined }) {
  if (row === undefined) return <span class="row-unknown">…</span>;
  const { category, text, scope, importance, updatedAt, state } = row;
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
      <span class="row-age" title={shownTime(updatedAt)}>
        {shownAge(updatedAt)}
      </span>
    </>
  );
}
