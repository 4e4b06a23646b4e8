import { memories } from "../../api/calls.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { useScopes } from "../../api/use-scopes.ts";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { route } from "../../state/route.ts";
import { chosenScopes } from "../../state/chosen-scopes.ts";
import { RecallForm } from "./recall-form.tsx";
import { RecallResult } from "./recall-result.tsx";
import { recallRequest, recallSettings } from "./recall-settings.ts";

/** Why something is recalled, and why something is not. */
export function WhyView() {
  const { settings } = route.value;
  const scopes = useScopes();
  const asked = chosenScopes(settings, scopes.value ?? []);
  const request = recallRequest(settings, asked);
  const key = recallSettings.map((name) => settings.get(name) ?? "").join("\n");
  const recall = useLoaded(request === undefined ? undefined : `${asked.length} ${key}`, (signal) =>
    memories.recallMemories(request ?? {}, { signal }),
  );
  return (
    <div class="sheet">
      <h1>Why is it recalled?</h1>
      {scopes.failure !== undefined && <FailureNote failure={scopes.failure} retry={scopes.reload} />}
      {scopes.value !== undefined && <RecallForm key={key} scopes={scopes.value} settings={settings} />}
      {recall.isLoading && <WaitingNote what="Recalling" />}
      {recall.failure !== undefined && <FailureNote failure={recall.failure} retry={recall.reload} />}
      {recall.value !== undefined && <RecallResult answer={recall.value} question={settings.get("q") ?? ""} />}
      {request === undefined && scopes.value !== undefined && (
        <EmptyNote title="Ask what an agent would ask.">
          <p>
            You see what is recalled, what each score is made of, and what was left out and why. Nothing counts as used.
          </p>
        </EmptyNote>
      )}
    </div>
  );
}
