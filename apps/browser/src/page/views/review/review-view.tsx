import { useEffect, useRef } from "preact/hooks";
import { useLoaded } from "../../api/use-loaded.ts";
import { useScopes } from "../../api/use-scopes.ts";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { ScopeField } from "../../parts/scope-field.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { changeSettings, route } from "../../state/route.ts";
import { chosenScopes } from "../../state/chosen-scopes.ts";
import { shownText } from "../../text/shown-parts.ts";
import { changes } from "../../state/changes.ts";
import { EditReview } from "./edit-review.tsx";
import { MemoryReviewCard } from "./memory-review.tsx";
import { pendingItems, placeOf } from "./pending-items.ts";
import { useReviewKeys } from "./use-review-keys.ts";

/** What waits for a person, one after the other. */
export function ReviewView() {
  const { settings } = route.value;
  const scopes = useScopes();
  const chosen = settings.get("scope") ?? "";
  const asked = chosenScopes(settings, scopes.value ?? []);
  const pending = useLoaded(
    scopes.value === undefined || asked.length === 0 ? undefined : `${chosen} ${asked.length} ${changes.value}`,
    (signal) => pendingItems(asked, signal),
  );
  const items = pending.value ?? [];
  const found = items.findIndex(({ id }) => id === settings.get("item"));
  const place = Math.max(0, found);
  const item = items[place];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => (item === undefined ? undefined : heading.current?.focus()), [item?.id]);
  const go = (step: number): void => {
    const next = items[place + step];
    if (next !== undefined) changeSettings({ item: next.id });
  };
  useReviewKeys({ j: () => go(1), k: () => go(-1) });
  return (
    <div class="sheet">
      <h1>What waits for you?</h1>
      {scopes.failure !== undefined && <FailureNote failure={scopes.failure} retry={scopes.reload} />}
      {scopes.value !== undefined && (
        <div class="review-bar">
          <ScopeField scopes={scopes.value} chosen={chosen} onChange={(scope) => changeSettings({ scope, item: "" })} />
          {item !== undefined && (
            <nav class="review-steps" aria-label="What waits">
              <button type="button" disabled={place === 0} onClick={() => go(-1)}>
                Back
              </button>
              <button type="button" disabled={place >= items.length - 1} onClick={() => go(1)}>
                Next
              </button>
            </nav>
          )}
        </div>
      )}
      {pending.failure !== undefined && <FailureNote failure={pending.failure} retry={pending.reload} />}
      {pending.isLoading && <WaitingNote what="Looking for what waits" />}
      {item !== undefined && (
        <>
          <h2 ref={heading} tabIndex={-1} class="review-place">
            {place + 1} of {items.length}
            <span class="for-readers">: {shownText(placeOf(item))}</span>
          </h2>
          {item.kind === "edit" ? (
            <EditReview key={item.id} edit={item.edit} />
          ) : (
            <MemoryReviewCard key={item.id} review={item.review} />
          )}
        </>
      )}
      {((pending.value !== undefined && item === undefined) || (scopes.value !== undefined && asked.length === 0)) && (
        <EmptyNote title="Nothing waits.">
          <p>Changes of blocks that agents propose stand here, and memories whose words nobody has vouched for.</p>
        </EmptyNote>
      )}
    </div>
  );
}
