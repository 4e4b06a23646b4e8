import { posix } from "node:path";

/** A page of the site as TypeDoc takes it, at a path like those of the repository. */
export interface StagedPage {
  readonly path: string;
  readonly text: string;
}

export interface PageHeader {
  readonly title: string;
  /** Paths of pages that stand under this one, relative to it. */
  readonly children?: readonly string[] | undefined;
}

/** A page with its heading, and what TypeDoc is told of it before that. */
export function withHeader({ title, children = [] }: PageHeader, text: string): string {
  // JSON is YAML.
  const lines = [
    `title: ${JSON.stringify(title)}`,
    ...(children.length > 0 ? [`children: ${JSON.stringify(children)}`] : []),
  ];
  return `---\n${lines.join("\n")}\n---\n\n# ${title}\n\n${text.trimStart()}`;
}

/** A document of the repository as a page: its heading as the title, and of its links those that lead to another page. */
export function pageOf(path: string, markdown: string, pages: ReadonlySet<string>): StagedPage {
  const { title, rest } = titled(path, markdown);
  return { path, text: withHeader({ title }, withLinksTo(pages, path, withoutPictures(rest))) };
}

/** The site has no pictures: a line that is one is left out. */
function withoutPictures(markdown: string): string {
  return markdown.replaceAll(/^!\[[^\]\n]*\]\([^()\n]*\)\n\n?/gmu, "");
}

/** The first heading of a document, and what comes after it. */
export function titled(path: string, markdown: string): { readonly title: string; readonly rest: string } {
  const [heading = "", title] = /^# (.+)\n/u.exec(markdown) ?? [];
  return { title: title?.replaceAll("`", "") ?? posix.basename(path, ".md"), rest: markdown.slice(heading.length) };
}

/** The relative links of a document, from the repository's root, without what stands in code. */
export function linksOf(path: string, markdown: string): readonly { readonly file: string; readonly anchor: string }[] {
  const found: { readonly file: string; readonly anchor: string }[] = [];
  onLinks(markdown, (text, target) => {
    if (isRelative(target)) found.push(resolved(path, target));
    return text;
  });
  return found;
}

/** What links to places in a document may end with: `#` and its headings. The site and GitHub name those with code differently. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#{1,6} ([^`\n]+)$/gmu)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map(
      (heading) =>
        `#${heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
          .replaceAll(" ", "-")}`,
    ),
  );
}

/** Links to folders with a README go there; to sources there are no pages, and what they said is left as text. */
function withLinksTo(pages: ReadonlySet<string>, path: string, markdown: string): string {
  return onLinks(markdown, (text, target) => {
    if (!isRelative(target)) return `[${text}](${target})`;
    const { file, anchor } = resolved(path, target);
    const page = [file, `${file}/README.md`, `${file}/index.md`].find((candidate) => pages.has(candidate));
    if (page === undefined) return text;
    const relative = posix.relative(posix.dirname(path), page);
    return `[${text}](${relative.startsWith(".") ? relative : `./${relative}`}${anchor})`;
  });
}

function isRelative(target: string): boolean {
  return !/^(?:[a-z]+:|#|\/)/u.test(target);
}

function resolved(path: string, target: string): { readonly file: string; readonly anchor: string } {
  const [name = "", anchor] = target.split("#");
  const file = posix.join(posix.dirname(path), name).replace(/\/$/u, "");
  return { file, anchor: anchor === undefined ? "" : `#${anchor}` };
}

/** Code in fences or between backticks, or a link. */
const codeOrLink = /^(```|~~~)[^]*?^\1|`[^`\n]+`|\[((?:[^[\]]|\[[^[\]]*\])+)\]\(([^()\s]+)\)/gmu;

function onLinks(markdown: string, change: (text: string, target: string) => string): string {
  return markdown.replace(codeOrLink, (all: string, _fence: string | undefined, text?: string, target?: string) =>
    text === undefined || target === undefined ? all : change(text, target),
  );
}
