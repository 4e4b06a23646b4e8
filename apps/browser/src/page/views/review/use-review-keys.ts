import { useLayoutEffect } from "preact/hooks";
import { isInChord, isTyping, keyHelpOpen, singleKeys } from "../../state/use-keys.ts";

/** Keys of the view: `j` and `k` go on and back, `a` approves and `r` rejects what is on the screen. */
export function useReviewKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  // At once: a key decides about what is on the screen, never about what was there before.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (!singleKeys.value || keyHelpOpen.value || event.repeat || isInChord() || isTyping(event)) return;
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}
