import type { KeptReceiptSummary } from "@loci/api-web";
import { useRef, useState } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { TimeShown } from "../../parts/time-shown.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { fragmentOf } from "../../state/route.ts";
import { scopeText } from "../../text/scopes.ts";
import { counted } from "../../text/words.ts";
import { keptReceipts } from "./kept-receipts.ts";

interface KeptReceiptListProps {
  /** The one that is open. */
  readonly open: string;
  /** Whether something else is shown, so that the list is folded away. */
  readonly isFolded: boolean;
}

/** The contexts that were assembled lately, of which the server keeps a receipt. */
export function KeptReceiptList({ open, isFolded }: KeptReceiptListProps) {
  const [pages, setPages] = useState(1);
  const listed = useLoaded(`${pages}`, (signal) => keptReceipts(pages, signal));
  const last = useRef(listed.value);
  // What is there stays while more is loaded.
  if (listed.value !== undefined) last.current = listed.value;
  const shown = last.current;
  if (listed.failure !== undefined && isOlder(listed.failure)) return null;
  return (
    <details class="kept-receipts" open={!isFolded}>
      <summary>Contexts that were assembled lately</summary>
      {listed.failure !== undefined && <FailureNote failure={listed.failure} retry={listed.reload} />}
      {listed.isLoading && <WaitingNote what="Loading receipts" />}
      {shown !== undefined && <p class="muted">{aboutOf(shown.receipts.length, shown.keepMilliseconds)}</p>}
      <ul>
        {shown?.receipts.map((receipt) => (
          <ReceiptLine key={receipt.id} receipt={receipt} open={open} />
        ))}
      </ul>
      {shown?.hasMore === true && (
        <button type="button" class="small" onClick={() => setPages(pages + 1)}>
          Show more
        </button>
      )}
    </details>
  );
}

function ReceiptLine({ receipt, open }: { readonly receipt: KeptReceiptSummary; readonly open: string }) {
  const { id, assembleTime, scopes, session, subject, usage, keptItems, shortenedItems, droppedItems } = receipt;
  const whose = session === undefined ? scopes.map(scopeText).join(", ") : `${scopeText(session.scope)} ${session.id}`;
  const cut = [
    ...(shortenedItems > 0 ? [`${shortenedItems} shortened`] : []),
    ...(droppedItems > 0 ? [`${droppedItems} dropped`] : []),
  ];
  return (
    <li class="item">
      <a href={fragmentOf("window", { receipt: id })} aria-current={id === open ? "true" : undefined}>
        {assembleTime === undefined ? id : <TimeShown time={assembleTime} />}
      </a>
      <span class="item-name">
        <ShownText text={whose === "" ? "no scope" : whose} />
      </span>
      <span class="muted">
        {counted(usage?.totalTokens ?? 0, "token")}, {[counted(keptItems, "item"), ...cut].join(", ")}, by{" "}
        <ShownText text={subject} />
      </span>
      {open !== "" && id !== open && (
        <a class="compare" href={fragmentOf("window", { receipt: open, with: id })}>
          Compare with the open one
        </a>
      )}
    </li>
  );
}

function aboutOf(count: number, keepMilliseconds: number): string {
  if (keepMilliseconds === 0)
    return "This server keeps no receipts. Its setting [receipts] keep says for how long it does.";
  const time = counted(Math.max(1, Math.round(keepMilliseconds / 3_600_000)), "hour");
  return count === 0
    ? `None yet. What agents assemble is kept here for ${time}: ids, versions and numbers, no text.`
    : `Kept for ${time}: ids, versions and numbers, no text.`;
}

/** A server of a version before this one. */
function isOlder({ reason }: Failure): boolean {
  return reason === "UNSUPPORTED_OPERATION";
}
