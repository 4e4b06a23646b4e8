import { changeSettings } from "./route.ts";

/** Closes what is open beside a list, and goes back to where the focus was. */
export function closeDetail(): void {
  changeSettings({ id: "" });
  focusList();
}

/** The list of the view has the keys again. */
export function focusList(): void {
  document.querySelector<HTMLElement>(".memory-list > .row-list")?.focus();
}
