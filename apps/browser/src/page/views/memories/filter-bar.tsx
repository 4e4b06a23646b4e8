import type { ScopeMemories } from "@loci/api-web";
import { useEffect, useRef } from "preact/hooks";
import { ScopeField } from "../../parts/scope-field.tsx";
import { WhereField } from "../../parts/where-field.tsx";
import { changeSettings } from "../../state/route.ts";
import { orders } from "./memory-filter.ts";
import { categories, states } from "./memory-settings.ts";

interface FilterBarProps {
  readonly scopes: readonly ScopeMemories[];
  readonly settings: URLSearchParams;
  readonly count: string;
}

const pauseMilliseconds = 250;

/** What the list is narrowed by. Each choice is in the address. */
export function FilterBar({ scopes, settings, count }: FilterBarProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = (name: string, value: string): void => changeSettings({ [name]: value, id: "" });
  const find = settings.get("find") ?? "";
  const category = settings.get("category") ?? "";
  const known = categories.includes(category) || category === "" ? categories : [...categories, category];
  return (
    <form class="filter-bar" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="field field-find">
        <span>Find</span>
        <input
          id="find"
          type="search"
          placeholder="words in the text"
          autocomplete="off"
          spellcheck={false}
          defaultValue={find}
          key={find === "" ? "empty" : "given"}
          onInput={(event) => {
            const { value } = event.currentTarget;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => changeSettings({ find: value, id: "" }, "replace"), pauseMilliseconds);
          }}
        />
      </label>
      <ScopeField scopes={scopes} chosen={settings.get("scope") ?? ""} onChange={(scope) => choose("scope", scope)} />
      <label class="field">
        <span>State</span>
        <select value={settings.get("state") ?? ""} onChange={(event) => choose("state", event.currentTarget.value)}>
          {states.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Category</span>
        <select value={category} onChange={(event) => choose("category", event.currentTarget.value)}>
          <option value="">all</option>
          {known.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Order</span>
        <select value={settings.get("order") ?? ""} onChange={(event) => choose("order", event.currentTarget.value)}>
          {orders.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <WhereField given={settings.get("where") ?? ""} onChange={(where) => choose("where", where)} />
      <p class="filter-count" role="status">
        {count}
      </p>
    </form>
  );
}
