import { ShownText } from "../../parts/shown-text.tsx";
import { counted } from "../../text/words.ts";
import { compareWindows } from "./compared-windows.ts";
import type { ShownItem, ShownWindow } from "./shown-window.ts";

interface ComparisonNoteProps {
  readonly before: ShownWindow;
  readonly after: ShownWindow;
  /** What ends the comparison is called. */
  readonly endTitle: string;
  readonly onEnd: () => void;
}

/** What came into a window and what went, and where it is another. */
export function ComparisonNote({ before, after, endTitle, onEnd }: ComparisonNoteProps) {
  const { came, gone, hasSamePrefix, firstChanged } = compareWindows(before, after);
  return (
    <div class="pinned">
      <div>
        <p>
          Against{" "}
          <q>
            <ShownText text={before.title} />
          </q>
          : {counted(came.length, "item")} more, {counted(gone.length, "item")} gone; the stable prefix is{" "}
          {hasSamePrefix ? "the same" : "another"}
          {firstChanged !== undefined && (
            <>
              , the first section that differs is <ShownText text={firstChanged} />
            </>
          )}
          .
        </p>
        <MovedItems title="Came" items={came} />
        <MovedItems title="Gone" items={gone} />
      </div>
      <button type="button" class="small" onClick={onEnd}>
        {endTitle}
      </button>
    </div>
  );
}

function MovedItems({ title, items }: { readonly title: string; readonly items: readonly ShownItem[] }) {
  if (items.length === 0) return null;
  return (
    <details>
      <summary>
        {title}: {items.length}
      </summary>
      <ul>
        {items.map(({ id, section, tokens, text, source }) => (
          <li key={id} class="item">
            <span class="item-name">
              <ShownText text={text ?? source ?? id} />
            </span>
            <span class="muted">
              <ShownText text={section} />, {counted(tokens, "token")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
