import type { CaptureUndone } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { fragmentOf } from "../../state/route.ts";

/** What undoing did with each memory. */
export function UndoneMemories({ undone: { forgotten, reopened, skipped } }: { readonly undone: CaptureUndone }) {
  const results = [
    ...forgotten.map((id) => ({ id, result: "forgotten", look: "badge" })),
    ...reopened.map((id) => ({ id, result: "holds again", look: "badge good" })),
    ...skipped.map((id) => ({ id, result: "left alone: changed since", look: "badge warn" })),
  ];
  return (
    <section aria-labelledby="undone-title">
      <h3 id="undone-title">What undoing did</h3>
      {results.length === 0 && <p class="muted">There was nothing to take back.</p>}
      <ul class="undone">
        {results.map(({ id, result, look }) => (
          <li key={id}>
            <span class={look}>{result}</span>{" "}
            <a class="id" href={fragmentOf("memories", { id })}>
              <ShownText text={id} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
