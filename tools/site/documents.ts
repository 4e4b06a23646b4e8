import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { anchorsOf, linksOf, pageOf, type StagedPage, titled, withHeader } from "./staged-page.ts";

/** A part of the site that is made of documents of the repository. */
interface Chapter {
  readonly title: string;
  /** Where the page stands that lists them. */
  readonly path: string;
  readonly about: string;
  readonly patterns: readonly string[];
}

/** In the order in which they stand beside every page. */
const chapters: readonly Chapter[] = [
  {
    title: "Guides",
    path: "docs/guides/index.md",
    about: "How to do one thing each, with code that is run by the tests.",
    patterns: ["docs/guides/*.md", "docs/limits.md", "docs/reliability*.md", "docs/reference/*.md"],
  },
  {
    title: "Packages and programs",
    path: "packages/index.md",
    about: "What each package and program is for, and what it promises.",
    patterns: [
      "packages/README.md",
      "apps/*/README.md",
      "packages/*/README.md",
      "tools/pinecone-emulator/README.md",
      "CONTRIBUTING.md",
    ],
  },
  {
    title: "Decisions",
    path: "docs/decisions/index.md",
    about: "Why things are as they are: for each the options there were, and what follows.",
    patterns: ["docs/decisions/[0-9]*.md"],
  },
];

/** The documents of the repository as pages, and a page for each chapter that lists its own. */
export function documentPages(root: string): {
  readonly chapters: readonly string[];
  readonly pages: readonly StagedPage[];
} {
  const listed = chapters.map((chapter) => ({
    ...chapter,
    documents: chapter.patterns
      .flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
      .map((path) => ({ path, markdown: readFileSync(join(root, path), "utf8") })),
  }));
  const known = new Set(listed.flatMap(({ path, documents }) => [path, ...documents.map((document) => document.path)]));
  return {
    chapters: listed.map(({ path }) => path),
    pages: listed.flatMap(({ title, path, about, documents }) => {
      const entries = documents.map((document) => ({
        title: titled(document.path, document.markdown).title,
        target: relativeTo(path, document.path),
      }));
      const list = entries.map((entry) => `- [${entry.title}](${entry.target})`).join("\n");
      const header = { title, children: entries.map(({ target }) => target) };
      return [
        { path, text: withHeader(header, `${about}\n\n${list}\n`) },
        ...documents.map((document) => pageOf(document.path, document.markdown, known)),
      ];
    }),
  };
}

/** Links in the documents, and the README, to files and headings that are not there: each as `document -> file#heading`. */
export function linksToNothing(root: string): readonly string[] {
  const paths = ["README.md", ...chapters.flatMap(({ patterns }) => patterns)].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  return paths.flatMap((path) =>
    linksOf(path, readFileSync(join(root, path), "utf8"))
      .filter(({ file, anchor }) => !isThere(join(root, file), anchor))
      .map(({ file, anchor }) => `${path} -> ${file}${anchor}`),
  );
}

function isThere(file: string, anchor: string): boolean {
  if (!existsSync(file)) return false;
  return anchor === "" || !file.endsWith(".md") || anchorsOf(readFileSync(file, "utf8")).has(anchor);
}

function relativeTo(page: string, target: string): string {
  const relative = posix.relative(posix.dirname(page), target);
  return relative.startsWith(".") ? relative : `./${relative}`;
}
