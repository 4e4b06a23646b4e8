import { signal } from "@preact/signals";
import { ShownText } from "../../parts/shown-text.tsx";
import { counted } from "../../text/words.ts";
import { DroppedCandidates } from "../why/dropped-candidates.tsx";
import { compareWindows } from "./compared-windows.ts";
import { ItemList } from "./item-list.tsx";
import { LayoutBar, sectionColours } from "./layout-bar.tsx";
import { SectionTable } from "./section-table.tsx";
import type { ShownWindow } from "./shown-window.ts";

/** A window that later ones are compared with. */
const pinnedWindow = signal<ShownWindow | undefined>(undefined);

/** A window: its bar, its sections, its items and its text. */
export function WindowResult({ window }: { readonly window: ShownWindow }) {
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
        <PinnedWindowNote window={window} />
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
            {content === undefined || content === "" ? (
              <p class="muted">{used > 0 ? `not kept, ${counted(used, "token")}` : "empty"}</p>
            ) : (
              <p class="text">
                <ShownText text={content} />
              </p>
            )}
          </details>
        ))}
      </section>
    </>
  );
}

function PinnedWindowNote({ window }: { readonly window: ShownWindow }) {
  const before = pinnedWindow.value;
  if (before === undefined || before === window) return null;
  const { came, gone, hasSamePrefix, firstChanged } = compareWindows(before, window);
  return (
    <div class="pinned">
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
      <button type="button" class="small" onClick={() => (pinnedWindow.value = undefined)}>
        Unpin
      </button>
    </div>
  );
}
