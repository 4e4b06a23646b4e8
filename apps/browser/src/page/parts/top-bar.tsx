import { useEffect, useRef } from "preact/hooks";
import { ShownText } from "./shown-text.tsx";
import { session, signOut } from "../api/session.ts";
import { keyHelpOpen } from "../state/use-keys.ts";
import { caller, hasService } from "../state/caller.ts";
import { fragmentOf, route, type ViewName, views } from "../state/route.ts";

/** The services of views that a server may be without: nothing is shown that it could not answer. */
const neededServices: Readonly<Partial<Record<ViewName, string>>> = {
  captures: "loci.v1.CaptureService",
  health: "loci.v1.StatusService",
};

function isThere({ name }: { readonly name: ViewName }): boolean {
  const needed = neededServices[name];
  return needed === undefined || hasService(needed);
}

/** The views, and what this page may do. */
export function TopBar() {
  const places = useRef<HTMLElement>(null);
  const { view } = route.value;
  // On a narrow page they are more than there is room for.
  useEffect(() => places.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [view]);
  return (
    <header class="top-bar">
      <a class="mark" aria-label="Loci" href={fragmentOf("memories")}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="8" class="mark-ground" />
          <circle cx="11" cy="21" r="4" class="mark-near" />
          <circle cx="21" cy="11" r="4" class="mark-far" />
          <path d="M13.5 18.5l5-5" class="mark-way" />
        </svg>
        <span>Loci</span>
      </a>
      <nav ref={places} aria-label="Views">
        {views.filter(isThere).map(({ name, title }) => (
          <a key={name} href={fragmentOf(name)} aria-current={view === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {caller.value !== undefined && (
        <span class="badge tenant" title="the tenant of the key">
          <ShownText text={caller.value.tenant} />
        </span>
      )}
      {session.value?.readOnly === true && <span class="badge">read only</span>}
      {session.value?.signIn === "key" && (
        <button type="button" class="quiet" onClick={() => void signOut()}>
          Sign out
        </button>
      )}
      <button type="button" class="quiet" aria-label="Keys" onClick={() => (keyHelpOpen.value = true)}>
        ?
      </button>
    </header>
  );
}
