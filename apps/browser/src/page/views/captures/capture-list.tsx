import { useEffect, useState } from "preact/hooks";
import type { CaptureJob, ScopeMemories } from "@loci/api-web";
import { useLoaded } from "../../api/use-loaded.ts";
import { useVisibleInterval } from "../../api/use-visible-interval.ts";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { RowList } from "../../parts/row-list.tsx";
import { ScopeField } from "../../parts/scope-field.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { changeSettings } from "../../state/route.ts";
import { shownText } from "../../text/shown-parts.ts";
import { scopeText } from "../../text/scopes.ts";
import { shownAge, shownTime } from "../../text/times.ts";
import { counted } from "../../text/words.ts";
import { changes } from "../../state/changes.ts";
import { captureStates, isGoingOn, stateLook, stateTitle } from "./capture-settings.ts";
import { listedCaptures, timeOf } from "./listed-captures.ts";

interface CaptureListProps {
  readonly scopes: readonly ScopeMemories[];
  readonly settings: URLSearchParams;
}

const lookAgainMilliseconds = 5_000;

/** The captures of a scope and a state, the newest first. */
export function CaptureList({ scopes, settings }: CaptureListProps) {
  const [active, setActive] = useState(0);
  const asked = ["scope", "state"].map((name) => settings.get(name) ?? "").join("\n");
  const listed = useLoaded(`${asked}\n${changes.value}`, (signal) => listedCaptures(settings, signal));
  useEffect(() => setActive(0), [asked]);
  const { captures = [], hasMore = false } = listed.value ?? {};
  useVisibleInterval(() => captures.some(isGoingOn) && listed.reload(), lookAgainMilliseconds);
  return (
    <div class="memory-list">
      <form class="filter-bar" role="search" onSubmit={(event) => event.preventDefault()}>
        <ScopeField
          scopes={scopes}
          chosen={settings.get("scope") ?? ""}
          onChange={(scope) => changeSettings({ scope, id: "" })}
        />
        <label class="field">
          <span>State</span>
          <select onChange={(event) => changeSettings({ state: event.currentTarget.value, id: "" })}>
            {captureStates.map(({ name, title }) => (
              <option key={name} value={name} selected={name === (settings.get("state") ?? "")}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <p class="filter-count" role="status">
          {listed.value === undefined ? "" : counted(captures.length, "capture") + (hasMore ? "+" : "")}
        </p>
      </form>
      {listed.failure !== undefined && <FailureNote failure={listed.failure} retry={listed.reload} />}
      {listed.isLoading && <WaitingNote what="Loading captures" />}
      {captures.length > 0 && (
        <RowList
          label="Captures"
          count={captures.length}
          active={Math.min(active, captures.length - 1)}
          row={(index) => <CaptureCells capture={captures[index]} />}
          onActive={setActive}
          onOpen={(index) => changeSettings({ id: captures[index]?.id })}
          onRange={() => undefined}
        />
      )}
      {listed.value !== undefined && captures.length === 0 && (
        <EmptyNote title="Nothing was captured here.">
          <p>A capture makes memories of a session when it is closed, or when it is asked for.</p>
        </EmptyNote>
      )}
    </div>
  );
}

/** One capture on one line. */
function CaptureCells({ capture }: { readonly capture: CaptureJob | undefined }) {
  if (capture === undefined) return null;
  const { state, session, firstTurn, lastTurn } = capture;
  return (
    <>
      <span>
        <span class={stateLook(state)}>{stateTitle(state)}</span>
      </span>
      <bdi class="row-text">{shownText(session?.id ?? "")}</bdi>
      <bdi class="row-scope">{shownText(scopeText(session?.scope))}</bdi>
      <span class="row-turns">
        turns {firstTurn}–{lastTurn}
      </span>
      <span class="row-age" title={shownTime(timeOf(capture))}>
        {shownAge(timeOf(capture))}
      </span>
    </>
  );
}
