import { ShownText } from "../../parts/shown-text.tsx";
import { counted } from "../../text/words.ts";
import type { ShownItem, ShownWindow } from "./shown-window.ts";

interface SectionContentProps {
  readonly window: ShownWindow;
  readonly name: string;
  readonly content: string | undefined;
  readonly used: number;
}

/** What stands in a section. Of a receipt: what its memories said then; what was not kept says how much it took. */
export function SectionContent({ window, name, content, used }: SectionContentProps) {
  if (content !== undefined && content !== "")
    return (
      <p class="text">
        <ShownText text={content} />
      </p>
    );
  const items = window.items.filter(({ section, outcome }) => section === name && outcome !== "dropped");
  if (used > 0 && items.some(({ text }) => text !== undefined))
    return (
      <>
        {items.map((item) => (
          <ItemText key={item.id} item={item} />
        ))}
      </>
    );
  return <p class="muted">{used > 0 ? notKept(used) : "empty"}</p>;
}

function ItemText({ item: { id, text, tokens, outcome } }: { readonly item: ShownItem }) {
  if (text === undefined)
    return (
      <p class="muted">
        <ShownText text={id} />: {notKept(tokens)}
      </p>
    );
  return (
    <p class="text">
      {outcome === "shortened" && <span class="muted">shortened to {counted(tokens, "token")} of: </span>}
      <ShownText text={text} />
    </p>
  );
}

function notKept(tokens: number): string {
  return `not kept, ${counted(tokens, "token")}`;
}
