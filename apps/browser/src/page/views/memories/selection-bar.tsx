import { useState } from "preact/hooks";
import { mayWrite } from "../../state/rights.ts";
import { counted } from "../../text/words.ts";
import { type KindOfWork, kindsOfWork } from "./kinds-of-work.ts";
import type { ListedMemories } from "./listed-memories.ts";
import { WorkDialog } from "./work-dialog.tsx";

/** What can be done with the rows that are chosen. */
export function SelectionBar({ list, total }: { readonly list: ListedMemories; readonly total: number }) {
  const [kind, setKind] = useState<KindOfWork | undefined>(undefined);
  const { selection } = list;
  const count = selection.count.value;
  if (count === 0) return <p class="for-readers" role="status" />;
  const kinds: readonly KindOfWork[] = mayWrite() ? ["tag", "expire", "forget", "export"] : ["export"];
  return (
    <div class="selection-bar">
      <span role="status">{counted(count, "memory", "memories")} chosen</span>
      {count < total && (
        <button type="button" class="small" onClick={() => selection.all()}>
          Choose all {total.toLocaleString("en")}
        </button>
      )}
      {kinds.map((one) => (
        <button
          key={one}
          type="button"
          class={one === "forget" ? "small danger" : "small"}
          onClick={() => setKind(one)}
        >
          {kindsOfWork[one].title}
          {kindsOfWork[one].field === undefined ? "" : "…"}
        </button>
      ))}
      <button type="button" class="small quiet" onClick={() => selection.none()}>
        Choose none
      </button>
      {kind !== undefined && <WorkDialog kind={kind} list={list} onClosed={() => setKind(undefined)} />}
    </div>
  );
}
