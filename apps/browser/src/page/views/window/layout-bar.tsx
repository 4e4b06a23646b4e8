import { shownText } from "../../text/shown-parts.ts";
import type { ShownWindow } from "./shown-window.ts";

const width = 1_000;
const height = 28;

/** How many colours sections take in turn. */
export const sectionColours = 6;

/** The window as a bar: its width is tokens; what is used of each section is filled. */
export function LayoutBar({ window }: { readonly window: ShownWindow }) {
  const parts = [
    ...window.sections.map(({ name, granted, used }, index) => ({
      name,
      tokens: Math.max(granted, used),
      used,
      colour: `section-${index % sectionColours}`,
    })),
    { name: "query", tokens: window.query, used: 0, colour: "section-rest" },
    { name: "answer", tokens: window.response, used: 0, colour: "section-rest" },
    { name: "kept free", tokens: window.safety, used: 0, colour: "section-rest" },
  ];
  const all = Math.max(
    1,
    window.total,
    parts.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  const scale = width / all;
  let start = 0;
  return (
    <svg
      class="layout-bar"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`The window by tokens: ${parts.map(({ name, used, tokens }) => `${shownText(name)} ${used} of ${tokens}`).join(", ")}`}
    >
      {parts.map(({ name, tokens, used, colour }) => {
        const from = start;
        start += tokens * scale;
        return (
          <g key={name} class={colour}>
            <rect class="part-all" x={from} width={Math.max(0, tokens * scale - 1)} height={height} />
            <rect class="part-used" x={from} width={Math.max(0, Math.min(used, tokens) * scale - 1)} height={height} />
          </g>
        );
      })}
    </svg>
  );
}
