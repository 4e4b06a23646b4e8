import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface CheckedLinks {
  readonly pages: number;
  /** Each as `page -> link`. */
  readonly broken: readonly string[];
}

/** Looks up what every page of a folder links to and loads: files, anchors in them, and nothing that is elsewhere but links. */
export function brokenLinks(folder: string): CheckedLinks {
  const pages = globSync("**/*.html", { cwd: folder }).toSorted();
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (file: string): ReadonlySet<string> => {
    let found = anchors.get(file);
    if (found === undefined) anchors.set(file, (found = anchorsIn(readFileSync(file, "utf8"))));
    return found;
  };
  const broken = new Set<string>();
  for (const page of pages) {
    const file = join(folder, page);
    for (const { attribute, element, target } of referencesIn(readFileSync(file, "utf8"))) {
      const isElsewhere = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/u.test(target);
      // Text may lead elsewhere; what a page loads may not.
      if (isElsewhere) {
        if (attribute === "src" || element === "link") broken.add(`${page} -> ${target}`);
        continue;
      }
      const [path = "", anchor = ""] = target.split("#");
      const named = path === "" ? file : join(dirname(file), decodeURIComponent(path));
      const isThere = existsSync(named) && statSync(named).isFile();
      const hasAnchor =
        anchor === "" || !named.endsWith(".html") || (isThere && anchorsOf(named).has(decodeURIComponent(anchor)));
      if (!isThere || !hasAnchor)
        broken.add(`${page} -> ${path === "" ? "" : relative(folder, named)}${anchor === "" ? "" : `#${anchor}`}`);
    }
  }
  return { pages: pages.length, broken: [...broken] };
}

function* referencesIn(
  html: string,
): Generator<{ readonly element: string; readonly attribute: string; readonly target: string }> {
  for (const [, element = "", attributes = ""] of html.matchAll(/<([a-z]+)\s([^<>]*)>/gu))
    for (const [, attribute = "", target = ""] of attributes.matchAll(/(?:^|\s)(href|src)="([^"]*)"/gu))
      yield { element, attribute, target: target.replaceAll("&amp;", "&") };
}

function anchorsIn(html: string): ReadonlySet<string> {
  return new Set(Array.from(html.matchAll(/\s(?:id|name)="([^"]*)"/gu), ([, anchor = ""]) => anchor));
}
