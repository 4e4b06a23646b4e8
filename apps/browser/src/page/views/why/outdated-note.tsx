import type { OutdatedMark } from "@loci/api-web";
import { TimeShown } from "../../parts/time-shown.tsx";
import { fragmentOf } from "../../state/route.ts";

/** Since when a hit is outdated, and the way to what holds instead. */
export function OutdatedNote({ mark: { since, isInPart, replacedBy } }: { readonly mark: OutdatedMark }) {
  return (
    <p class="hit-about hit-outdated">
      <span class="badge warn">outdated{isInPart && " in part"}</span>
      {since !== undefined && (
        <>
          {" since "}
          <TimeShown time={since} />
        </>
      )}
      {replacedBy.map((id) => (
        <span key={id}>
          {"; "}
          <a href={fragmentOf("memories", { id })}>what holds instead</a>
        </span>
      ))}
    </p>
  );
}
