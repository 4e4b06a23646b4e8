import type { MemoryAccount } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { fragmentOf } from "../../state/route.ts";
import { reasonHelp, reasonWords } from "../../text/reason-words.ts";

/** What became of a memory that somebody expected. */
export function ExpectedMemories({ accounts }: { readonly accounts: readonly MemoryAccount[] }) {
  return (
    <>
      {accounts.map(({ id, reason, rank, score, closeness, floor, inFavourOf }) => (
        <section key={id} class="expected" aria-label="Expected memory">
          <h2>{reason === undefined ? "The expected memory is recalled." : "The expected memory is not recalled."}</h2>
          <p>
            {reason !== undefined && <ShownText text={`It ${reasonWords(reason)}`} />}
            {closeness !== undefined &&
              floor !== undefined &&
              `, closeness ${closeness.toFixed(3)} of ${floor.toFixed(3)}`}
            {rank !== undefined && `, rank ${rank}`}
            {score !== undefined && `, score ${score.toFixed(3)}`}
            {inFavourOf !== undefined && (
              <>
                , in favour of <a href={fragmentOf("memories", { id: inFavourOf })}>another</a>
              </>
            )}
            .{reason !== undefined && ` ${reasonHelp(reason) ?? ""}`}
          </p>
          <p class="id">
            <ShownText text={id} />
          </p>
        </section>
      ))}
    </>
  );
}
