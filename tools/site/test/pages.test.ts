import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractPages, readContract } from "../contract-pages.ts";
import { documentPages, linksToNothing } from "../documents.ts";
import { frontPage } from "../front-page.ts";
import { languagePages } from "../language-pages.ts";
import { linksOf, pageOf } from "../staged-page.ts";

const root = join(import.meta.dirname, "../../..");

describe("a document", () => {
  const pages = new Set(["docs/guides/a.md", "docs/decisions/0001-b.md", "apps/server/README.md"]);
  const textOf = (markdown: string): string => pageOf("docs/guides/a.md", `# A \`title\`\n\n${markdown}`, pages).text;

  test("has its heading as the title", () => {
    expect(textOf("Text.")).toBe('---\ntitle: "A title"\n---\n\n# A title\n\nText.');
  });

  test.each([
    ["[b](../decisions/0001-b.md#why)", "[b](../decisions/0001-b.md#why)"],
    ["[server](../../apps/server)", "[server](../../apps/server/README.md)"],
    ["[source](../../apps/server/src/index.ts)", "source"],
    ["[`code` and text](../nothing.md)", "`code` and text"],
    ["[elsewhere](https://example.org/a)", "[elsewhere](https://example.org/a)"],
    ["[here](#below)", "[here](#below)"],
    ["`[b](../decisions/x.md)`", "`[b](../decisions/x.md)`"],
    ["```ts\nconst a = [b](c);\n```", "```ts\nconst a = [b](c);\n```"],
  ])("%s becomes %s", (given, expected) => {
    expect(textOf(given)).toContain(`\n\n${expected}`);
  });

  test("names what it links to", () => {
    const markdown = "[a](../x.md#y), [b](z/), `[no](no)` and [c](https://example.org)\n```\n[no](no)\n```\n";
    expect(linksOf("docs/guides/a.md", markdown)).toEqual([
      { file: "docs/x.md", anchor: "#y" },
      { file: "docs/guides/z", anchor: "" },
    ]);
  });
});

test("no document links to what is not there", () => {
  expect(linksToNothing(root)).toEqual([]);
});

test("a link to a file or a heading that is not there is told of, also to a heading that the site names differently", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-links-"));
  const links = ["there.md", "there.md#how-it-is-told", "gone.md", "there.md#gone", "there.md#in_code"];
  mkdirSync(join(folder, "docs/guides"), { recursive: true });
  writeFileSync(join(folder, "docs/guides/there.md"), "# There\n\n## How it is told\n\n## `[in_code]`\n");
  writeFileSync(join(folder, "README.md"), links.map((link) => `[a](docs/guides/${link})`).join("\n"));
  expect(linksToNothing(folder)).toEqual(
    ["gone.md", "there.md#gone", "there.md#in_code"].map((link) => `README.md -> docs/guides/${link}`),
  );
  rmSync(folder, { recursive: true });
});

test("every guide and decision has a page, and is listed", () => {
  const { chapters, pages } = documentPages(root);
  expect(chapters).toHaveLength(3);
  const listOf = (path: string): string => pages.find((page) => page.path === path)?.text ?? "";
  expect(listOf("docs/guides/index.md")).toContain("[Keys, tokens and certificates](./keys.md)");
  expect(listOf("docs/decisions/index.md")).toContain("[1. Workspace tools](./0001-workspace-tools.md)");
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
});

describe("the contract", () => {
  const files = readContract(root);
  const { pages } = contractPages(files);
  const textOf = (name: string): string => pages.find(({ path }) => path === `contract/${name}.md`)?.text ?? "";

  test("has a heading for each method, with what it takes, answers and says", () => {
    const text = textOf("memory_service");
    expect(text).toContain(
      "## GetMemory\n\n`/loci.v1.MemoryService/GetMemory`: [GetMemoryRequest](./memory_service.md#getmemoryrequest) → " +
        "[GetMemoryResponse](./memory_service.md#getmemoryresponse)\n\nReads one memory, by its id",
    );
    expect(text).toContain("→ stream of [WatchMemoriesResponse]");
    const methods = files.flatMap(({ service = [] }) => service.flatMap(({ method }) => method));
    expect(methods.length).toBeGreaterThan(60);
    for (const { name } of methods) expect(pages.map((page) => page.text).join("\n")).toContain(`\n## ${name}\n`);
  });

  test("has a row for each field, with its type and its comment", () => {
    expect(textOf("memory")).toMatch(/\| `scope` \| \[Scope\]\(\.\/scope\.md#scope\) \| \S/u);
    expect(textOf("memory")).toMatch(/\| `tags` \| list of `string` \|/u);
    expect(textOf("scope")).toMatch(/\| `SCOPE_KIND_USER` \| \d \|/u);
  });

  test("links to nothing but headings that are there", () => {
    const headings = new Map(
      pages.map(({ path, text }) => [
        path.slice("contract/".length),
        new Set(Array.from(text.matchAll(/^## (.+)$/gmu), ([, name = ""]) => name.toLowerCase().replaceAll(".", ""))),
      ]),
    );
    const links = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/\]\(\.\/([^#)]+)#([^)]+)\)/gu), ([, page = "", anchor = ""]) => ({ page, anchor })),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ page, anchor }) => headings.get(page)?.has(anchor) !== true)).toEqual([]);
  });
});

test("each client has a page with what it offers, or that says what was missing", () => {
  const [python = "", go = ""] = languagePages(root).map(({ text }) => text);
  for (const [page, call] of [
    [python, "connect_local("],
    [go, "func ConnectLocal("],
  ] as const)
    expect(page.includes(call) || page.includes("This page was made where")).toBe(true);
});

test("the front page shows a program, and the window and the receipt that it really prints", () => {
  const { text } = frontPage(root);
  expect(text.match(/Billing uses PostgreSQL 17/gu)).toHaveLength(2);
  expect(text).toContain("<knowledge>");
  expect(text).toMatch(/^knowledge +\d +\d+/mu);
});
