import type { LedgerStatus } from "@loci/api-web";
import { TimeShown } from "../../parts/time-shown.tsx";
import { Figure } from "./figure.tsx";

/** What the ledger holds. */
export function LedgerFigures({ ledger }: { readonly ledger: LedgerStatus }) {
  const { memories, kept, scopes, sequence, bytes, recordTime } = ledger;
  return (
    <section aria-labelledby="ledger-title">
      <h2 id="ledger-title">Ledger</h2>
      <dl class="figures">
        <Figure name="memories">{memories.toLocaleString("en")}</Figure>
        <Figure name="with what waits and tombstones">{kept.toLocaleString("en")}</Figure>
        <Figure name="scopes">{scopes.toLocaleString("en")}</Figure>
        <Figure name="entries of the log">{sequence.toLocaleString("en")}</Figure>
        {bytes !== undefined && <Figure name="megabytes, of every tenant">{(Number(bytes) / 1e6).toFixed(1)}</Figure>}
      </dl>
      {recordTime !== undefined && (
        <p class="muted">
          Last written <TimeShown time={recordTime} />
        </p>
      )}
    </section>
  );
}
