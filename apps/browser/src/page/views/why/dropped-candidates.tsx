import { type DroppedCandidate, type Memory, MemoryState } from "@loci/api-web";
import { useState } from "preact/hooks";
import { memories } from "../../api/calls.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { ShownText } from "../../parts/shown-text.tsx";
import { fragmentOf } from "../../state/route.ts";
import { reasonHelp, reasonWords } from "../../text/reason-words.ts";

/** Texts are asked for one by one. */
const mostTexts = 20;

/** What was considered and left out, by reason. */
export function DroppedCandidates({ dropped }: { readonly dropped: readonly DroppedCandidate[] }) {
  const groups = [...Map.groupBy(dropped, ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return (
    <section aria-labelledby="dropped-title">
      <h2 id="dropped-title">Left out: {dropped.length.toLocaleString("en")}</h2>
      {groups.length === 0 && <p class="muted">Nothing that was considered was left out.</p>}
      {groups.map(([reason, candidates]) => (
        <DroppedGroup key={reason} reason={reason} candidates={candidates} />
      ))}
    </section>
  );
}

interface DroppedGroupProps {
  readonly reason: string;
  readonly candidates: readonly DroppedCandidate[];
}

function DroppedGroup({ reason, candidates }: DroppedGroupProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = candidates.slice(0, mostTexts);
  const texts = useLoaded(isOpen ? shown.map(({ id }) => id).join(" ") : undefined, (signal) =>
    Promise.all(shown.map(({ id }) => textOf(id, signal))),
  );
  return (
    <details class="dropped" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="reason-words">{reasonWords(reason)}</span> <span class="number">{candidates.length}</span>
      </summary>
      {reasonHelp(reason) !== undefined && <p class="muted dropped-help">{reasonHelp(reason)}</p>}
      <ul>
        {shown.map(({ id, score, inFavourOf, closeness, floor }, index) => (
          <li key={id}>
            <p class="dropped-text">
              <a href={fragmentOf("memories", { id })}>
                <ShownText text={texts.value?.[index] ?? id} />
              </a>
            </p>
            <p class="muted">
              {score !== undefined && <>score {score.toFixed(3)} </>}
              {closeness !== undefined && floor !== undefined && (
                <>
                  closeness {closeness.toFixed(3)} of {floor.toFixed(3)}{" "}
                </>
              )}
              {inFavourOf !== undefined && (
                <>
                  in favour of <a href={fragmentOf("memories", { id: inFavourOf })}>another</a>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {candidates.length > mostTexts && <p class="muted">and {candidates.length - mostTexts} more</p>}
    </details>
  );
}

async function textOf(id: string, signal: AbortSignal): Promise<string> {
  const { memory } = await memories.getMemory({ id }, { signal });
  return memory === undefined || memory.state === MemoryState.DELETED ? id : lineOf(memory);
}

function lineOf({ text }: Memory): string {
  return text.slice(0, 200).toWellFormed();
}
