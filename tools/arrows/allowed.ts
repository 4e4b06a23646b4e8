/**
 * Which package may import which: the one place that says so.
 * A key or value ending in `-*` stands for every folder with that prefix; an exact key wins.
 */
export const packageArrows: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  core: ["domain"],
  // What the suites of the contracts are made with: it knows none of them.
  conformance: [],

  // Keys and sealed texts: it knows no table and no file.
  encryption: ["domain"],

  // Contracts know the words and nothing else; adapters know the words and the one contract they fulfil.
  ledger: ["encryption", "domain", "conformance"],
  "ledger-*": ["ledger", "encryption", "domain"],
  "ledger-postgres": ["ledger", "encryption", "postgres-connection", "domain"],
  store: ["domain", "conformance"],
  "store-*": ["store", "domain"],
  "store-pgvector": ["store", "postgres-connection", "domain"],
  // What both in PostgreSQL do alike on a connection: it knows neither contract.
  "postgres-connection": ["domain"],
  // The model is weights and the code that reads them: it knows nothing of Loci.
  "embedding-model": [],
  // How models' servers are asked, whatever for.
  "model-endpoint": ["domain"],
  embedding: ["embedding-model", "model-endpoint", "domain", "conformance"],
  "embedding-*": ["embedding", "domain"],
  // Contract and client in one: the client is small and needs nothing from npm.
  "language-model": ["model-endpoint", "domain"],

  // The use-cases see contracts, never adapters.
  engine: ["ledger", "store", "embedding", "language-model", "git-mirror", "core", "domain", "conformance"],

  // The one library that names adapters.
  loci: [
    "engine",
    "ledger",
    "ledger-*",
    "encryption",
    "store",
    "store-*",
    "embedding",
    "embedding-*",
    "language-model",
    "served-directory",
    "git-mirror",
    "core",
    "domain",
  ],

  // Where the data directory and its server are: programs in process and clients must mean the same.
  "served-directory": [],

  // Works through any Loci, in process or over the wire.
  "file-import": ["domain"],

  // Asks questions through any Loci, and measures the answers.
  evaluation: ["domain"],

  // Ids of git objects from the versions of blocks: no ledger, and no git.
  "git-mirror": ["domain"],

  // The rules by which agents' frameworks remember, through any Loci; an adapter knows its framework besides.
  agent: ["domain", "conformance"],
  "ai-sdk": ["agent", "domain"],
  anthropic: ["agent", "domain"],
  mastra: ["agent", "domain"],
  "openai-agents": ["agent", "domain"],
  // A retriever gives single texts, which are escaped as the core escapes them.
  langchain: ["agent", "core", "domain"],

  api: ["domain"],
  // The contract once more, as browsers and Connect read it: generated, and no more.
  "api-web": [],
  client: ["api", "served-directory", "domain"],
};

/**
 * The rooms of the engine, folders by use-case, and what each may import of the others: nothing above it, and nothing of
 * what puts the rooms together.
 */
export const engineRooms: Readonly<Record<string, readonly string[]>> = {
  // What every call goes through, and what comes in is checked by.
  calls: [],
  validation: ["calls"],
  jobs: ["calls"],
  // Texts that people keep as files.
  files: ["calls"],
  embedding: ["calls"],
  usage: ["calls", "validation"],
  projections: ["calls", "embedding"],
  summaries: ["calls", "validation", "usage"],
  budget: ["calls", "validation", "files", "usage", "summaries"],
  memories: ["calls", "validation", "embedding", "usage", "projections"],
  sessions: ["calls", "validation", "budget", "memories"],
  recall: ["calls", "validation", "usage", "budget", "projections", "memories"],
  blocks: ["calls", "validation", "files", "budget", "memories", "recall"],
  capture: [
    "calls",
    "jobs",
    "validation",
    "embedding",
    "usage",
    "summaries",
    "budget",
    "projections",
    "memories",
    "sessions",
    "recall",
  ],
  // What contexts were made of.
  receipts: ["calls", "validation"],
  assembly: ["calls", "validation", "files", "usage", "receipts", "summaries", "sessions", "blocks", "recall"],
  maintenance: ["calls", "validation", "embedding", "usage", "receipts", "projections", "memories", "recall"],
  // All that is kept, out and in again.
  exchange: ["calls", "validation", "memories", "sessions", "blocks", "capture"],
};

/** What programs may import, and what their `src/config` folder may import besides. */
export const appArrows: readonly string[] = [
  "loci",
  "client",
  "api",
  "api-web",
  "evaluation",
  "file-import",
  "served-directory",
  "domain",
];
export const appConfigArrows: readonly string[] = ["ledger-*", "store-*", "embedding", "embedding-*"];

/** Which program starts which. `loci` is the one command people install: `loci serve`, `loci mcp` and `loci browse` are these programs. */
export const programArrows: Readonly<Record<string, readonly string[]>> = {
  cli: ["server", "mcp", "browser"],
};

/** What the `src` of an example may import: it shows what anybody can do who has only the contracts. */
export const exampleArrows: readonly string[] = ["store", "domain"];

/** Packages that run anywhere: nothing from Node, and from npm only what is listed. */
export const pureArrows: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  core: ["gpt-tokenizer", "smol-toml", "porter2", "@orama/stemmers", "@orama/stopwords"],
};

/** The row of the table for a folder of `packages`, if it has one. */
export function arrowsOf(folder: string): readonly string[] | undefined {
  const prefix = folder.split("-")[0] ?? folder;
  return packageArrows[folder] ?? (folder === prefix ? undefined : packageArrows[`${prefix}-*`]);
}
