import { useEffect, useMemo, useState } from "preact/hooks";
import { MemoryState, type ScopeMemories } from "@loci/api-web";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { RowList } from "../../parts/row-list.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { changeSettings } from "../../state/route.ts";
import { counted } from "../../text/words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { ListedMemories } from "./listed-memories.ts";
import { MemoryRowCells } from "./memory-row-cells.tsx";
import type { MemoryFilter } from "./memory-filter.ts";
import { filterOf } from "./memory-settings.ts";
import { SelectionBar } from "./selection-bar.tsx";

interface MemoryListProps {
  readonly scopes: readonly ScopeMemories[];
  readonly settings: URLSearchParams;
}

/** The memories of a filter, any of which is reached by scrolling. */
export function MemoryList({ scopes, settings }: MemoryListProps) {
  const asked = ["scope", "state", "category", "find", "where", "order"].map((name) => settings.get(name) ?? "");
  const filter = useMemo(() => filterOf(settings), asked);
  const [turn, setTurn] = useState(0);
  const list = useMemo(() => (filter === undefined ? undefined : new ListedMemories(filter)), [filter, turn]);
  const [active, setActive] = useState(0);
  useEffect(() => () => list?.close(), [list]);
  useEffect(() => setActive(0), [list]);

  const { total, failure } = list?.progress.value ?? { total: 0 };
  const again = (): void => setTurn((turn) => turn + 1);
  const isUnused = scopes.length === 0 && total === 0 && asked.every((setting) => setting === "");
  return (
    <div class="memory-list">
      <FilterBar
        scopes={scopes}
        settings={settings}
        count={total === undefined ? "" : counted(total, "memory", "memories")}
      />
      {list !== undefined && <AddedNote list={list} show={again} />}
      {list !== undefined && total !== undefined && <SelectionBar list={list} total={total} />}
      {list !== undefined && failure !== undefined && <FailureNote failure={failure} retry={() => list.retry()} />}
      {list !== undefined && total !== undefined && total > 0 && (
        <ListedRows list={list} total={total} active={Math.min(active, total - 1)} onActive={setActive} />
      )}
      {total === undefined && failure === undefined && <WaitingNote what="Loading memories" />}
      {total === 0 &&
        (isUnused ? (
          <EmptyNote title="Nothing is remembered yet.">
            <p>Store a memory, and it stands here:</p>
            <pre>loci remember &quot;Deploys happen on Thursdays.&quot; --scope project:billing</pre>
          </EmptyNote>
        ) : (
          <EmptyNote title={emptyTitle(filter)}>
            <p>Choose another scope, state, category or filter.</p>
          </EmptyNote>
        ))}
    </div>
  );
}

function emptyTitle(filter: MemoryFilter | undefined): string {
  if (filter === undefined) return "This is no filter.";
  return filter.find === "" ? "No memory is like this." : "No memory has these words.";
}

interface ListedRowsProps {
  readonly list: ListedMemories;
  readonly total: number;
  readonly active: number;
  readonly onActive: (index: number) => void;
}

function ListedRows({ list: { filter, ids, rows, selection }, total, active, onActive }: ListedRowsProps) {
  // Whatever is loaded or chosen is shown.
  void [rows.revision.value, selection.count.value];
  const failure = rows.failure.value;
  const open = (index: number): void => {
    const id = ids.at(index);
    if (id !== undefined) changeSettings({ id });
  };
  return (
    <>
      {failure !== undefined && <FailureNote failure={failure} />}
      <RowList
        label="Memories"
        count={total}
        active={active}
        row={(index) => <MemoryRowCells row={rows.at(index)} order={filter.order} />}
        // With what was forgotten there is nothing to do together.
        choice={filter.state === MemoryState.DELETED ? undefined : selection}
        onActive={onActive}
        onOpen={open}
        onRange={(first, last) => rows.want(first, last, active)}
      />
    </>
  );
}

/** Rows never move by themselves: what was added since is shown when somebody wants it. */
function AddedNote({ list: { added, isOld }, show }: { readonly list: ListedMemories; readonly show: () => void }) {
  const { size } = added.value;
  if (size === 0 && !isOld.value) return <p class="for-readers" role="status" />;
  return (
    <p class="added" role="status">
      <button type="button" class="small" onClick={show}>
        {size === 0 ? "The list may be old. Load it again" : `${size.toLocaleString("en")} new. Show`}
      </button>
    </p>
  );
}
