import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { closeDetail } from "./close-detail.ts";
import { goTo, route, views } from "./route.ts";

export const keyHelpOpen = signal(false);

const storedUnder = "loci-single-keys";
/** Keys that act by themselves can be switched off: who speaks to a computer, or whose hands shake, presses them unmeant. */
export const singleKeys = signal(sessionStorage.getItem(storedUnder) !== "off");

export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  sessionStorage.setItem(storedUnder, on ? "on" : "off");
}

/** Whether a key goes into a field. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), select, textarea");
}

const chordMilliseconds = 1_500;
let chordUntil = 0;

/** Whether the next key says which view is meant: it means nothing else then. */
export function isInChord(): boolean {
  return performance.now() < chordUntil;
}

/** `/` finds, `g` and a letter goes to a view, `Esc` closes what is open, `?` shows the keys. */
export function useKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || keyHelpOpen.value) return;
      if (event.key === "Escape" && (route.value.settings.get("id") ?? "") !== "") closeDetail();
      else if (isTyping(event) || !singleKeys.value) return;
      else if (isInChord()) {
        chordUntil = 0;
        const view = views.find(({ key }) => key === event.key);
        if (view !== undefined) goTo(view.name);
      } else if (event.key === "g") chordUntil = performance.now() + chordMilliseconds;
      else if (event.key === "/") document.querySelector<HTMLElement>("#find")?.focus();
      else if (event.key === "?") keyHelpOpen.value = true;
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
