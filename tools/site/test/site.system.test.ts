import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildSite } from "../build-site.ts";
import { brokenLinks } from "../check-links.ts";

const root = join(import.meta.dirname, "../../..");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-site-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The index as the search of the pages reads it. */
function searchIndex(script: string): { readonly search: (words: string) => readonly unknown[] } {
  const library = createRequire(import.meta.resolve("typedoc"))("lunr") as {
    readonly Index: { load(index: unknown): ReturnType<typeof searchIndex> };
  };
  const bytes = Buffer.from(/"([^"]+)"/u.exec(script)?.[1] ?? "", "base64");
  const { index } = JSON.parse(inflateSync(bytes).toString()) as { readonly index: unknown };
  return library.Index.load(index);
}

describe("checking links", () => {
  const check = (html: string): readonly string[] => {
    mkdirSync(join(folder, "a"), { recursive: true });
    writeFileSync(join(folder, "a/there.html"), '<h1 id="top">There</h1>');
    writeFileSync(join(folder, "picture.png"), "");
    writeFileSync(join(folder, "index.html"), html);
    const { pages, broken } = brokenLinks(folder);
    expect(pages).toBe(2);
    return broken;
  };

  test.each([
    '<a href="a/there.html">',
    '<a href="a/there.html#top">',
    '<a class="x" href="#here"><p id="here">',
    '<img src="picture.png">',
    '<a href="https://example.org/">',
    '<a href="mailto:a@example.org">',
  ])("lets %s be", (html) => {
    expect(check(html)).toEqual([]);
  });

  test.each([
    ['<a href="a/gone.html">', "index.html -> a/gone.html"],
    ['<a href="a">', "index.html -> a"],
    ['<a href="a/there.html#bottom">', "index.html -> a/there.html#bottom"],
    ['<a href="#nowhere">', "index.html -> #nowhere"],
    ['<img src="gone.png">', "index.html -> gone.png"],
    ['<script src="https://example.org/a.js"></script>', "index.html -> https://example.org/a.js"],
    ['<link rel="stylesheet" href="//example.org/font.css">', "index.html -> //example.org/font.css"],
  ])("tells of %s", (html, broken) => {
    expect(check(html)).toEqual([broken]);
  });
});

// Reading all the sources takes some ten seconds.
test.runIf(process.env["LOCI_SITE"] !== undefined)(
  "the site is made without a warning, whole, and loads nothing from elsewhere (nightly, LOCI_SITE)",
  async () => {
    const { warnings } = await buildSite(root, folder);
    expect(warnings).toEqual([]);
    const { pages, broken } = brokenLinks(folder);
    expect(broken).toEqual([]);
    expect(pages).toBeGreaterThan(500);
    const read = (file: string): string => readFileSync(join(folder, file), "utf8");
    expect(read("index.html")).toContain("loci-front");
    expect(read("functions/_loci_client.delegatedToken.html")).toContain("Ed25519");
    expect(read("documents/gRPC_contract.MemoryService.html")).toContain("RecallMemories");
    const index = searchIndex(read("assets/search.js"));
    for (const words of ["*token*", "*bucket*", "*session*", "*constructor*", "*scope*~1"])
      expect(index.search(words)).not.toEqual([]);
    for (const style of ["style.css", "custom.css", "highlight.css"])
      expect(read(`assets/${style}`)).not.toMatch(/url\(\s*["']?(?:https?:)?\/\//u);
  },
);
