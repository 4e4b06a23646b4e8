import type { ScopeMemories } from "@loci/api-web";
import { scopeText } from "../text/scopes.ts";
import { shownText } from "../text/shown-parts.ts";

interface ScopeFieldProps {
  readonly scopes: readonly ScopeMemories[];
  /** Empty: all of them. */
  readonly value: string;
  readonly onChange: (scope: string) => void;
}

/** Chooses one scope, or all. */
export function ScopeField({ scopes, value, onChange }: ScopeFieldProps) {
  const names = scopes.map(({ scope }) => scopeText(scope));
  return (
    <label class="field">
      <span>Scope</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">all scopes</option>
        {value !== "" && !names.includes(value) && <option value={value}>{shownText(value)}</option>}
        {scopes.map(({ memories }, index) => (
          <option key={names[index]} value={names[index]}>
            {shownText(names[index] ?? "")} ({memories.toLocaleString("en")})
          </option>
        ))}
      </select>
    </label>
  );
}
