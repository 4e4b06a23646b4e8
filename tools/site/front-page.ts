import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StagedPage } from "./staged-page.ts";

const example = "docs/examples/first-minute.ts";

/** Where one goes on, by what one looks for. */
const nextPages: Readonly<Record<string, string>> = {
  Guides: "docs/guides/index.md",
  TypeScript: "packages/loci/README.md",
  Python: "clients/python.md",
  Go: "clients/go.md",
  "gRPC contract": "contract/index.md",
  "Run a server": "apps/server/README.md",
  "Command line": "apps/cli/README.md",
  MCP: "apps/mcp/README.md",
  "In a browser": "apps/browser/README.md",
  Decisions: "docs/decisions/index.md",
};

/** The page that one sees first: what Loci does, by a program and what it really prints. */
export function frontPage(root: string): StagedPage {
  const program = readFileSync(join(root, example), "utf8");
  // The window ends with what the user asks; the receipt comes after it.
  const [window = "", receipt = ""] = printed(root).split(/(?<=^<\/query>$)/mu);
  const text = `<div class="loci-front">

<p class="loci-lead">Memory and context for AI agents. Loci remembers what matters, and before each call of a model it assembles
the best context that fits: exactly to budget, with a receipt that says why each thing is in or out.</p>

<nav class="loci-next" aria-label="Where to go on">

${Object.entries(nextPages)
  .map(([title, path]) => `- [${title}](./${path})`)
  .join("\n")}

</nav>

<ol class="loci-flow">
<li><b>Remember</b> what was decided and said, with its source</li>
<li><b>Recall</b> it by meaning, words and time, per user and project</li>
<li><b>Assemble</b> a window that fits to the token</li>
<li><b>Explain</b> each item: its tokens, its scores, its fate</li>
</ol>

<div class="loci-columns"><div>

A program, in process, with no key and no server:

\`\`\`ts
${program.trim()}
\`\`\`

</div><div>

The window that it prints first, for the model:

\`\`\`xml
${window.trim()}
\`\`\`

</div></div>

The receipt that it prints last:

\`\`\`text
${receipt.trim()}
\`\`\`

</div>
`;
  return { path: "front-page.md", text };
}

/** What the program prints, run as its readers run it. */
function printed(root: string): string {
  const directory = mkdtempSync(join(tmpdir(), "loci-site-"));
  try {
    return execFileSync(
      process.execPath,
      ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning", join(root, example)],
      { encoding: "utf8", env: { ...process.env, LOCI_DATA_DIR: directory } },
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}
