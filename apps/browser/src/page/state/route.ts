import { signal } from "@preact/signals";

/** The views there are, in their order, each with the letter behind `g` that leads there. */
export const views = [
  { name: "memories", title: "Memories", key: "m" },
  { name: "why", title: "Why", key: "w" },
  { name: "window", title: "Window", key: "i" },
  { name: "review", title: "Review", key: "r" },
  { name: "captures", title: "Captures", key: "c" },
  { name: "health", title: "Health", key: "h" },
] as const;

export type ViewName = (typeof views)[number]["name"];

/** Where the page is: a link to it restores the view. */
export interface Route {
  readonly view: ViewName;
  readonly settings: URLSearchParams;
}

export const route = signal<Route>(readRoute());

addEventListener("hashchange", () => (route.value = readRoute()));

function readRoute(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const { name } = views.find(({ name }) => name === path) ?? views[0];
  return { view: name, settings: new URLSearchParams(query) };
}

/** The fragment of a view. What is empty is left out. */
export function fragmentOf(view: ViewName, settings: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(settings).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** Goes to a view, which the browser's history keeps. */
export function goTo(view: ViewName, settings?: Readonly<Record<string, string | undefined>>): void {
  location.hash = fragmentOf(view, settings);
}

/** Changes settings of the view that is there. @param how `replace` leaves no step in the history, as while somebody types */
export function changeSettings(
  changes: Readonly<Record<string, string | undefined>>,
  how: "push" | "replace" = "push",
): void {
  const { view, settings } = route.value;
  const fragment = fragmentOf(view, { ...Object.fromEntries(settings), ...changes });
  if (how === "push") location.hash = fragment;
  else {
    history.replaceState(null, "", fragment);
    route.value = readRoute();
  }
}
