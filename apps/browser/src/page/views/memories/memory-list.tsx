import { useEffect, useMemo, useState } from "preact/hooks";
import type { ScopeMemories } from "@loci/api-web";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { RowList } from "../../parts/row-list.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { changeSettings } from "../../state/route.ts";
import { counted } from "../../text/words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { MemoryPages } from "./memory-pages.ts";
import { MemoryRowCells } from "./memory-row-cells.tsx";
import { expectedRows, filterOf } from "./memory-settings.ts";
import { forgotten } from "./forget-memory.ts";

interface MemoryListProps {
  readonly scopes: readonly ScopeMemories[];
  readonly settings: URLSearchParams;
  /** Counts how often memories were changed here: the list is loaded again. */
  readonly turn: number;
}

/** The memories of a filter, any of which is reached by scrolling. */
export function MemoryList({ scopes, settings, turn }: MemoryListProps) {
  const asked = ["scope", "state", "category", "find"].map((name) => settings.get(name) ?? "");
  const filter = useMemo(() => filterOf(settings, scopes), [...asked, scopes]);
  const pages = useMemo(() => (filter === undefined ? undefined : new MemoryPages(filter)), [filter, turn]);
  const [active, setActive] = useState(0);
  useEffect(() => () => pages?.close(), [pages]);
  useEffect(() => setActive(0), [filter]);
  const id = forgotten.value;
  useEffect(() => (id === undefined ? undefined : pages?.remove(id)), [id, pages]);

  if (filter === undefined || pages === undefined)
    return (
      <div class="memory-list">
        <FilterBar scopes={scopes} settings={settings} count="" />
        <EmptyNote title="Nothing is remembered yet.">
          <p>Store a memory, and it stands here:</p>
          <pre>loci remember &quot;Deploys happen on Thursdays.&quot; --scope project:billing</pre>
        </EmptyNote>
      </div>
    );

  const { rows, searched, isComplete, isLoading, failure } = pages.progress.value;
  const expected = isComplete ? 0 : expectedRows(filter, scopes);
  const count = Math.max(rows.length, expected);
  const isSearch = filter.find !== "";
  const said =
    isSearch && !isComplete ? `${rows.length.toLocaleString("en")} in ${searched.toLocaleString("en")}…` : undefined;
  const open = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) changeSettings({ id: row.id });
  };
  return (
    <div class="memory-list">
      <FilterBar
        scopes={scopes}
        settings={settings}
        count={
          said ??
          (isLoading && count === 0
            ? ""
            : counted(count, "memory", "memories") + (isComplete || expected > 0 ? "" : "+"))
        }
      />
      {failure !== undefined && <FailureNote failure={failure} retry={() => pages.retry()} />}
      {count > 0 && (
        <RowList
          label="Memories"
          count={count}
          active={Math.min(active, count - 1)}
          row={(index) => <MemoryRowCells row={rows[index]} />}
          rowKey={(index) => rows[index]?.id ?? index}
          onActive={setActive}
          onOpen={open}
          onRange={(_, last) => pages.want(last + 100)}
        />
      )}
      {count === 0 && isLoading && <WaitingNote what="Loading memories" />}
      {count === 0 && isComplete && (
        <EmptyNote title={isSearch ? "No memory has these words." : "No memory is like this."}>
          <p>Choose another scope, state or category.</p>
        </EmptyNote>
      )}
    </div>
  );
}
