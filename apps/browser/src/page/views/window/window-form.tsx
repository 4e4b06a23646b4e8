import type { ScopeMemories } from "@loci/api-web";
import { ScopeField } from "../../parts/scope-field.tsx";
import { changeSettings } from "../../state/route.ts";
import { layouts, windowSettings } from "./window-settings.ts";

interface WindowFormProps {
  readonly scopes: readonly ScopeMemories[];
  readonly settings: URLSearchParams;
  readonly onReceipt: (file: File) => void;
}

/** What a context is made from, or the file of a receipt. */
export function WindowForm({ scopes, settings, onReceipt }: WindowFormProps) {
  const given = (name: string): string => settings.get(name) ?? "";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const value = (name: string): string => {
      const field = fields.get(name);
      return typeof field === "string" ? field : "";
    };
    const asked = Object.fromEntries(windowSettings.map((name) => [name, value(name)]));
    // What is asked takes the place of a receipt.
    changeSettings({ ...asked, receipt: "", with: "" });
  };
  return (
    <form class="recall-form" onSubmit={submit}>
      <label class="field field-question">
        <span>What the user asks</span>
        <input id="find" name="q" required autocomplete="off" defaultValue={given("q")} />
      </label>
      <ScopeField scopes={scopes} chosen={given("scope")} />
      <button type="submit" class="primary">
        Assemble
      </button>
      <label class="field">
        <span>Layout</span>
        <select name="layout" defaultValue={given("layout")}>
          <option value="">as agents get it</option>
          {layouts.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Model</span>
        <input name="model" autocomplete="off" spellcheck={false} defaultValue={given("model")} placeholder="gpt-4o" />
      </label>
      <label class="field">
        <span>System</span>
        <textarea name="system" rows={1} defaultValue={given("system")} />
      </label>
      <label class="field">
        <span>Task</span>
        <textarea name="task" rows={1} defaultValue={given("task")} />
      </label>
      <label class="field receipt-file">
        <span>Or open a receipt: a JSON file</span>
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) onReceipt(file);
          }}
        />
      </label>
    </form>
  );
}
