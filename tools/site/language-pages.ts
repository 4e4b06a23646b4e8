import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type StagedPage, withHeader } from "./staged-page.ts";

/** What the reference of a client is read from, and how it is told where that is missing. */
interface ClientReference {
  readonly title: string;
  readonly path: string;
  readonly about: string;
  /** The body of the page, as Markdown. */
  readonly read: (root: string) => string;
  readonly needs: string;
}

const clients: readonly ClientReference[] = [
  {
    title: "Python client",
    path: "clients/python.md",
    about: "What `loci_client` offers. The stubs of the contract are in `loci_client.v1`.",
    needs: "packages/client-python/.venv",
    read: (root) => {
      const python = join(root, "packages/client-python/.venv/bin/python");
      if (!existsSync(python)) throw new Error("packages/client-python has no .venv");
      return run(python, [join(root, "tools/site/python_reference.py")]);
    },
  },
  {
    title: "Go client",
    path: "clients/go.md",
    about: "What package `loci` offers, as `go doc` tells it. The clients of the contract are in package `lociv1`.",
    needs: "go",
    read: (root) =>
      `\`\`\`go\n${run("go", ["-C", join(root, "packages/client-go"), "doc", "-all", "."]).trim()}\n\`\`\`\n`,
  },
];

/**
 * A page for each client that is not TypeScript's. Where a language is not installed its page says so.
 *
 * @throws Error when `CI` is `true` and a language is missing
 */
export function languagePages(root: string): readonly StagedPage[] {
  return clients.map(({ title, path, about, read, needs }) => {
    const body = (): string => {
      try {
        return read(root);
      } catch (error) {
        if (process.env["CI"] === "true") throw error;
        console.error(
          `site: the page of the ${title} is empty, because ${needs} cannot be used. Run npm run toolchains.`,
        );
        return `This page was made where ${needs} could not be used.\n`;
      }
    };
    return { path, text: withHeader({ title }, `${about}\n\n${body()}`) };
  });
}

function run(program: string, command: readonly string[]): string {
  return execFileSync(program, command, { encoding: "utf8", stdio: "pipe", maxBuffer: 16 * 1024 * 1024 });
}
