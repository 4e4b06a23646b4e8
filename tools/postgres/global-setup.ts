import type { TestProject } from "vitest/node";
import { missingPostgres } from "./installation.ts";
import type { RunningPostgres } from "./running-postgres.ts";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The native server that all tests share, or why there is none. */
    readonly postgres: { readonly connectionString: string } | { readonly missing: string };
  }
}

/** A server and how many projects use it. */
interface Shared {
  readonly server: Promise<RunningPostgres>;
  projects: number;
}

// Each project loads this file for itself, all of them in one process: they find each other here.
const key: unique symbol = Symbol.for("loci.test-postgres");
const processWide = globalThis as { [key]?: Shared | undefined };

/** Starts one native PostgreSQL for all projects of a run that name this package in their `devDependencies`. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const missing = missingPostgres();
  if (missing !== undefined) {
    project.provide("postgres", { missing });
    return undefined;
  }
  const shared = (processWide[key] ??= { server: startPostgres({ kind: "native" }), projects: 0 });
  shared.projects++;
  const { connectionString, stop } = await shared.server;
  project.provide("postgres", { connectionString });
  return async () => {
    if (--shared.projects > 0) return;
    processWide[key] = undefined;
    await stop();
  };
}
