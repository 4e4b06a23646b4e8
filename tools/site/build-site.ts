import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Application, LogLevel, type ProjectReflection } from "typedoc";
import { contractPages, readContract } from "./contract-pages.ts";
import { documentPages } from "./documents.ts";
import { frontPage } from "./front-page.ts";
import { languagePages } from "./language-pages.ts";
import { indexWords } from "./search-words.ts";

/** What programs import, in the order in which it stands beside every page. */
const entryPoints: Readonly<Record<string, string>> = {
  "@loci/loci": "packages/loci/src/index.ts",
  "@loci/client": "packages/client/src/index.ts",
  "@loci/server": "apps/server/src/index.ts",
  "@loci/agent": "packages/agent/src/index.ts",
  "@loci/ai-sdk": "packages/ai-sdk/src/index.ts",
  "@loci/anthropic": "packages/anthropic/src/index.ts",
  "@loci/openai-agents": "packages/openai-agents/src/index.ts",
  "@loci/langchain": "packages/langchain/src/index.ts",
  "@loci/mastra": "packages/mastra/src/index.ts",
  "@loci/store": "packages/store/src/index.ts",
  "@loci/embedding": "packages/embedding/src/index.ts",
  "@loci/language-model": "packages/language-model/src/index.ts",
  "@loci/conformance": "packages/conformance/src/index.ts",
};

/** What code in documents and comments is written in. */
const highlightLanguages = [
  "typescript",
  "javascript",
  "json",
  "jsonc",
  "python",
  "go",
  "toml",
  "sh",
  "xml",
  "sql",
  "yaml",
];

export interface BuiltSite {
  /** What TypeDoc found wrong with comments and links. */
  readonly warnings: readonly string[];
}

/**
 * Makes the site of a repository in a folder, which is emptied first. Nothing is fetched, and the pages load nothing from
 * elsewhere.
 *
 * @throws Error when sources cannot be read
 */
export async function buildSite(root: string, target: string): Promise<BuiltSite> {
  const staging = mkdtempSync(join(tmpdir(), "loci-site-pages-"));
  try {
    const documents = documentPages(root);
    const contract = contractPages(readContract(root));
    const languages = languagePages(root);
    for (const { path, text } of [frontPage(root), ...documents.pages, ...contract.pages, ...languages]) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), text);
    }
    const [guides = "", ...others] = documents.chapters;
    const warnings: string[] = [];
    const application = await Application.bootstrap({
      name: "Loci",
      entryPoints: Object.values(entryPoints).map((path) => join(root, path)),
      tsconfig: join(root, "tools/site/typedoc.tsconfig.json"),
      basePath: root,
      readme: join(staging, "front-page.md"),
      projectDocuments: [guides, contract.chapter, ...languages.map(({ path }) => path), ...others].map((path) =>
        join(staging, path),
      ),
      out: target,
      cleanOutputDir: true,
      // The compiler that TypeDoc reads with is older than the one that checks.
      skipErrorChecking: true,
      disableSources: true,
      excludePrivate: true,
      excludeInternal: true,
      // What a class has from a library of others is told there.
      excludeExternals: true,
      searchInDocuments: true,
      searchInComments: true,
      hideGenerator: true,
      includeVersion: false,
      customCss: join(root, "tools/site/site.css"),
      highlightLanguages,
      ignoredHighlightLanguages: ["text", "jsonl", "proto"],
      sortEntryPoints: false,
      sort: ["documents-first", "kind", "instance-first", "alphabetical-ignoring-documents"],
      navigation: { includeCategories: false, includeGroups: false, includeFolders: false },
      validation: {
        notExported: false,
        invalidLink: false,
        invalidPath: true,
        rewrittenLink: true,
        notDocumented: false,
      },
      visibilityFilters: {},
      githubPages: false,
      logLevel: "Warn",
    });
    const log = application.logger.log.bind(application.logger);
    application.logger.log = (message, level) => {
      if (level >= LogLevel.Warn) warnings.push(message);
      log(message, level);
    };
    const project = await application.convert();
    if (project === undefined) throw new Error(`TypeDoc cannot read the sources:\n${warnings.join("\n")}`);
    nameModules(project);
    indexWords();
    await application.generateDocs(project, target);
    if (application.logger.hasErrors()) throw new Error(`TypeDoc cannot make the site:\n${warnings.join("\n")}`);
    return { warnings };
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** By what programs import, not by folders. */
function nameModules(project: ProjectReflection): void {
  for (const module of project.children ?? []) {
    const [name] = Object.entries(entryPoints).find(([, path]) => path.startsWith(`${module.name}/`)) ?? [];
    if (name !== undefined) module.name = name;
  }
}
