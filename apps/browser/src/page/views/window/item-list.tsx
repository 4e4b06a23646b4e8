import { ShownText } from "../../parts/shown-text.tsx";
import { fragmentOf } from "../../state/route.ts";
import { counted } from "../../text/words.ts";
import { reasonWords } from "../../text/reason-words.ts";
import type { ShownItem, ShownWindow } from "./shown-window.ts";

const outcomes = ["kept", "shortened", "dropped"] as const;

/** What was considered for the window, by section: what stands in it, what was shortened, what was dropped and why. */
export function ItemList({ window: { items, sections } }: { readonly window: ShownWindow }) {
  const names = [...new Set([...sections.map(({ name }) => name), ...items.map(({ section }) => section)])];
  const filled = names.filter((name) => items.some(({ section }) => section === name));
  return (
    <section aria-labelledby="items-title">
      <h2 id="items-title">Items: {items.length.toLocaleString("en")}</h2>
      {filled.map((name) => (
        <SectionItems key={name} name={name} items={items.filter(({ section }) => section === name)} />
      ))}
    </section>
  );
}

function SectionItems({ name, items }: { readonly name: string; readonly items: readonly ShownItem[] }) {
  const said = outcomes
    .map((outcome) => ({ outcome, count: items.filter((item) => item.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${outcome} ${count}`);
  return (
    <details class="dropped">
      <summary>
        <ShownText text={name} />: {said.join(", ")}
      </summary>
      <ul>
        {items.map((item) => (
          <li key={item.id} class="item">
            <span class={`badge outcome-${outcomes.find((outcome) => outcome === item.outcome) ?? "unknown"}`}>
              <ShownText text={item.outcome} />
            </span>
            <span class="item-name">
              {item.kind === "memory" ? (
                <a href={fragmentOf("memories", { id: item.id })}>
                  <ShownText text={item.source ?? item.id} />
                </a>
              ) : (
                <ShownText text={item.id} />
              )}
            </span>
            <span class="muted">
              {item.score !== undefined && `score ${item.score.toFixed(3)}, `}
              {item.outcome === "kept"
                ? counted(item.tokens, "token")
                : `${item.tokens.toLocaleString("en")} of ${counted(item.wholeTokens, "token")}`}
              {item.reason !== undefined && (
                <>
                  , <ShownText text={reasonWords(item.reason)} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
