import { CaptureExtractor, type CaptureJob, type CaptureOutcome } from "@loci/api-web";
import { Fact } from "../../parts/fact.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { TimeShown } from "../../parts/time-shown.tsx";
import { scopeText } from "../../text/scopes.ts";
import { counted, wordOf } from "../../text/words.ts";
import { stateLook, stateTitle } from "./capture-settings.ts";
import { unreadText } from "./capture-words.ts";

/** What was captured, when and by whom, and what the model took. What was not recorded says so. */
export function CaptureFacts({ capture }: { readonly capture: CaptureJob }) {
  const { id, session, firstTurn, lastTurn, projectScope, extractor, state, attempts, problem, outcome } = capture;
  return (
    <dl class="facts capture-facts">
      <Fact name="State">
        <span class={stateLook(state)}>{stateTitle(state)}</span>
        {attempts > 1 && `, tried ${attempts} times`}
      </Fact>
      {problem !== undefined && (
        <Fact name="Failed">
          <ShownText text={problem} />
        </Fact>
      )}
      <Fact name="Session">
        <ShownText text={session?.id ?? ""} /> in <ShownText text={scopeText(session?.scope)} />, turns {firstTurn} to{" "}
        {lastTurn}
      </Fact>
      {projectScope !== undefined && (
        <Fact name="Project">
          <ShownText text={scopeText(projectScope)} />
        </Fact>
      )}
      {capture.createTime !== undefined && (
        <Fact name="Begun">
          <TimeShown time={capture.createTime} />
        </Fact>
      )}
      {capture.updateTime !== undefined && (
        <Fact name="Changed">
          <TimeShown time={capture.updateTime} />
        </Fact>
      )}
      <Fact name="Asked for">{wordOf(CaptureExtractor, extractor)}</Fact>
      {outcome !== undefined && (
        <>
          <Fact name="Found by">
            <FoundBy outcome={outcome} />
          </Fact>
          {outcome.unread.length > 0 && <Fact name="Not read">{outcome.unread.map(unreadText).join("; ")}</Fact>}
          <Fact name="Tokens">{tokensOf(outcome)}</Fact>
          <Fact name="Cost">{costOf(outcome)}</Fact>
        </>
      )}
      <Fact name="Id">
        <span class="id">
          <ShownText text={id} />
        </span>
      </Fact>
    </dl>
  );
}

function FoundBy({ outcome: { byModel, isFallback, model, modelProblem } }: { readonly outcome: CaptureOutcome }) {
  const name = model === undefined ? null : <ShownText text={model} />;
  if (byModel) return name === null ? <>a model, whose name is not kept</> : <>the model {name}</>;
  if (!isFallback) return <>rules; no model was asked</>;
  return (
    <>
      rules, instead of {name ?? "a model"}
      {modelProblem !== undefined && (
        <>
          : <ShownText text={modelProblem} />
        </>
      )}
    </>
  );
}

function tokensOf({ usage, model }: CaptureOutcome): string {
  if (usage === undefined) return model === undefined ? "none" : "not kept";
  const cached = usage.cachedInputTokens > 0n ? `, ${usage.cachedInputTokens.toLocaleString("en")} of them cached` : "";
  const input = `${usage.inputTokens.toLocaleString("en")} in${cached}`;
  return `${input}, ${usage.outputTokens.toLocaleString("en")} out, by ${counted(usage.calls, "call")}`;
}

function costOf({ usage, model }: CaptureOutcome): string {
  if (usage === undefined) return model === undefined ? "none" : "not kept";
  return usage.cost === undefined ? "not known: the model has no price here" : `$${usage.cost}`;
}
