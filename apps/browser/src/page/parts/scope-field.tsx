import type { ScopeMemories } from "@loci/api-web";
import { scopeText } from "../text/scopes.ts";
import { shownText } from "../text/shown-parts.ts";

interface ScopeFieldProps {
  readonly scopes: readonly ScopeMemories[];
  /** What is chosen when the field is made. Empty: all of them. */
  readonly chosen: string;
  /** Told of each choice at once. Absent: the form that the field is in reads it as `scope` when it is sent. */
  readonly onChange?: ((scope: string) => void) | undefined;
}

/** Chooses one scope, or all: in every form the same. */
export function ScopeField({ scopes, chosen, onChange }: ScopeFieldProps) {
  const names = scopes.map(({ scope }) => scopeText(scope));
  return (
    <label class="field">
      <span>Scope</span>
      <select name="scope" onChange={(event) => onChange?.(event.currentTarget.value)}>
        <option value="">all scopes</option>
        {chosen !== "" && !names.includes(chosen) && (
          <option value={chosen} selected>
            {shownText(chosen)}
          </option>
        )}
        {scopes.map(({ memories }, index) => (
          <option key={names[index]} value={names[index]} selected={names[index] === chosen}>
            {shownText(names[index] ?? "")} ({memories.toLocaleString("en")})
          </option>
        ))}
      </select>
    </label>
  );
}
