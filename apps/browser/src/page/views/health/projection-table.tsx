import type { ProjectionStatus } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { millisecondsOf, shownAge } from "../../text/times.ts";
import { LagLine } from "./lag-line.tsx";
import { lagsOf } from "./lag-history.ts";

/** What follows the log, and how far it is. */
export function ProjectionTable({ projections }: { readonly projections: readonly ProjectionStatus[] }) {
  return (
    <section aria-labelledby="projections-title">
      <h2 id="projections-title">What follows the log</h2>
      <div class="wide" role="region" aria-label="How far each has got" tabIndex={0}>
        <table class="sections">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Behind</th>
              <th scope="col">Entries a second</th>
              <th scope="col">Last minutes</th>
            </tr>
          </thead>
          <tbody>
            {projections.map((projection) => {
              const { name, behind, ratePerSecond, oldestTime } = projection;
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    <ProjectionState projection={projection} />
                  </td>
                  <td>
                    {behind?.toLocaleString("en") ?? "?"}
                    {oldestTime !== undefined && (
                      <span class="muted">, since {shownAge(millisecondsOf(oldestTime))}</span>
                    )}
                  </td>
                  <td>{ratePerSecond.toFixed(1)}</td>
                  <td>
                    <LagLine name={name} lags={lagsOf(name)} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ProjectionState({ projection }: { readonly projection: ProjectionStatus }) {
  const { failure, checkpoint, behind } = projection;
  if (failure !== undefined)
    return (
      <span class="badge danger">
        <ShownText text={failure.reason} />
      </span>
    );
  if (checkpoint === undefined) return <span class="badge danger">does not answer</span>;
  return (behind ?? 0n) > 0n ? <span class="badge warn">behind</span> : <span class="badge good">up to date</span>;
}
