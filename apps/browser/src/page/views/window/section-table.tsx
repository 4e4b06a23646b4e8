import { ShownText } from "../../parts/shown-text.tsx";
import { sectionColours } from "./layout-bar.tsx";
import type { ShownWindow } from "./shown-window.ts";

/** The budget of each section, and what it took of it. */
export function SectionTable({ window: { sections, items } }: { readonly window: ShownWindow }) {
  const number = (value: number): string => value.toLocaleString("en");
  return (
    <div class="wide" role="region" aria-label="Sections" tabIndex={0}>
      <table class="sections">
        <thead>
          <tr>
            <th scope="col">Section</th>
            <th scope="col">Base</th>
            <th scope="col">Granted</th>
            <th scope="col">Needed</th>
            <th scope="col">Used</th>
            <th scope="col">Items</th>
          </tr>
        </thead>
        <tbody>
          {sections.map(({ name, base, granted, needed, used, budget }, index) => {
            const own = items.filter(({ section }) => section === name);
            const dropped = own.filter(({ outcome }) => outcome === "dropped").length;
            return (
              <tr key={name}>
                <th scope="row">
                  <svg width="12" height="12" aria-hidden="true" class={`section-${index % sectionColours}`}>
                    <rect class="part-used" width="12" height="12" rx="3" />
                  </svg>
                  <ShownText text={name} />
                </th>
                <td>{number(base)}</td>
                <td>{number(granted)}</td>
                <td>{number(needed)}</td>
                <td>
                  {number(used)}
                  {needed > budget && <span class="muted"> full</span>}
                </td>
                <td>
                  {own.length - dropped}
                  {dropped > 0 && <span class="muted"> +{dropped} dropped</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
