import { ShownText } from "../../parts/shown-text.tsx";
import { caller } from "../../state/caller.ts";

/** Whom the server takes this page for. */
export function CallerFacts() {
  const known = caller.value;
  if (known === undefined) return null;
  const facts: readonly (readonly [string, string])[] = [
    ["Tenant", known.tenant],
    ["You", known.subject],
    ["Roles", known.roles.join(", ")],
    ["Scopes", known.scopePatterns.join(", ")],
    ["Server", known.version],
  ];
  return (
    <section aria-labelledby="caller-title">
      <h2 id="caller-title">Who you are to it</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <ShownText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
