import type { ScopeMemories } from "@loci/api-web";
import { useState } from "preact/hooks";
import { ScopeField } from "../../parts/scope-field.tsx";
import { WhereField } from "../../parts/where-field.tsx";
import { changeSettings } from "../../state/route.ts";
import { profiles, recallSettings, weightNames, weightOf } from "./recall-settings.ts";

interface RecallFormProps {
  readonly scopes: readonly ScopeMemories[];
  readonly settings: URLSearchParams;
}

/** What is asked, of what, by which weights, and as of when. */
export function RecallForm({ scopes, settings }: RecallFormProps) {
  const [profile, setProfile] = useState(settings.get("profile") ?? "");
  const given = (name: string): string => settings.get(name) ?? "";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const value = (name: string): string => {
      const field = fields.get(name);
      return typeof field === "string" ? field.trim() : "";
    };
    const values = Object.fromEntries(recallSettings.map((name) => [name, value(name)]));
    changeSettings({ ...values, profile });
  };
  return (
    <form class="recall-form" onSubmit={submit}>
      <label class="field field-question">
        <span>Question</span>
        <input
          id="find"
          name="q"
          required
          autocomplete="off"
          defaultValue={given("q")}
          placeholder="what an agent would ask"
        />
      </label>
      <ScopeField scopes={scopes} chosen={given("scope")} />
      <button type="submit" class="primary">
        Recall
      </button>
      <label class="field">
        <span>Profile</span>
        <select value={profile} onChange={(event) => setProfile(event.currentTarget.value)}>
          {profiles.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>As of</span>
        <input name="asOf" type="datetime-local" defaultValue={given("asOf")} />
      </label>
      <label class="field field-limit">
        <span>At most</span>
        <input name="limit" type="number" min="1" max="1000" defaultValue={given("limit") || "15"} />
      </label>
      <label class="field field-expected">
        <span>Expected memory</span>
        <input
          name="expected"
          autocomplete="off"
          spellcheck={false}
          defaultValue={given("expected")}
          placeholder="its id"
        />
      </label>
      <WhereField given={given("where")} />
      {profile === "own" && (
        <fieldset class="weights">
          <legend>Weights</legend>
          {weightNames.map((name) => (
            <Weight key={name} name={name} value={weightOf(settings, name)} />
          ))}
        </fieldset>
      )}
      {given("asOf") !== "" && (
        <p class="form-note">
          Memories as they were recorded then, at most 20,000 of them. How often they had been used by then is not
          known.
        </p>
      )}
    </form>
  );
}

function Weight({ name, value }: { readonly name: string; readonly value: number }) {
  const [shown, setShown] = useState(value);
  return (
    <label class="weight">
      <span>{name}</span>
      <input
        name={name}
        type="range"
        min="0"
        max="1"
        step="0.01"
        value={shown}
        onInput={(event) => setShown(event.currentTarget.valueAsNumber)}
      />
      <output>{shown.toFixed(2)}</output>
    </label>
  );
}
