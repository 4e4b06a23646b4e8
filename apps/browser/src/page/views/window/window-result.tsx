import { signal } from "@preact/signals";
import { ShownText } from "../../parts/shown-text.tsx";
import { counted } from "../../text/words.ts";
import { DroppedCandidates } from "../why/dropped-candidates.tsx";
import { ComparisonNote } from "./comparison-note.tsx";
import { ItemList } from "./item-list.tsx";
import { LayoutBar, sectionColours } from "./layout-bar.tsx";
import { SectionContent } from "./section-content.tsx";
import { SectionTable } from "./section-table.tsx";
import type { ShownWindow } from "./shown-window.ts";

/** A window that later ones are compared with. */
const pinnedWindow = signal<ShownWindow | undefined>(undefined);

interface WindowResultProps {
  readonly window: ShownWindow;
  /** What it is compared with. Default: what was pinned. */
  readonly before?: ShownWindow | undefined;
  /** What ends the comparison with it. */
  readonly onEndOfComparison?: (() => void) | undefined;
}

/** A window: its bar, its sections, its items and its text. */
export function WindowResult({ window, before = pinnedWindow.value, onEndOfComparison }: WindowResultProps) {
  const { total, unused, stablePrefixHash, stablePrefixTokens, layout, model, tokenizer, dropped } = window;
  return (
    <>
      <section aria-labelledby="window-title">
        <header class="section-header">
          <h2 id="window-title">
            <ShownText text={window.title} />
          </h2>
          <button type="button" onClick={() => (pinnedWindow.value = window)}>
            Pin this window
          </button>
        </header>
        {before !== undefined && before !== window && (
          <ComparisonNote
            before={before}
            after={window}
            endTitle={onEndOfComparison === undefined ? "Unpin" : "Compare no more"}
            onEnd={onEndOfComparison ?? (() => (pinnedWindow.value = undefined))}
          />
        )}
        <LayoutBar window={window} />
        <p class="window-about">
          <ShownText text={[layout, model ?? "no model named", tokenizer].join(", ")} />. Unused{" "}
          {counted(unused, "token")} of {counted(total, "token")}. Stable prefix{" "}
          {stablePrefixTokens !== undefined && `${counted(stablePrefixTokens, "token")}, `}sha{" "}
          <span class="id">
            <ShownText text={stablePrefixHash.slice(0, 12)} />
          </span>
        </p>
        <SectionTable window={window} />
      </section>
      <ItemList window={window} />
      {dropped.length > 0 && <DroppedCandidates dropped={dropped} />}
      <section aria-labelledby="text-title">
        <h2 id="text-title">Text</h2>
        {window.sections.map(({ name, content, used }, index) => (
          <details key={name} class={`section-text section-${index % sectionColours}`} open={used > 0 && used < 400}>
            <summary>
              <ShownText text={name} /> <span class="muted">{counted(used, "token")}</span>
            </summary>
            <SectionContent window={window} name={name} content={content} used={used} />
          </details>
        ))}
      </section>
    </>
  );
}
