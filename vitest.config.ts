import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { defineConfig } from "vitest/config";

// Every workspace folder with a `test` folder is a project named after its folder.
const root = import.meta.dirname;
const folders = globSync(["packages/*", "apps/*", "tools/*", "examples/*", "benchmarks"], { cwd: root })
  .filter((folder) => existsSync(join(root, folder, "package.json")) && existsSync(join(root, folder, "test")))
  .toSorted();

/** Puts others in the place of modules, which only works for what vitest itself loads. Such tests have a project of their own. */
function replacesModules(test: string): boolean {
  return /\bvi\.(?:do)?[mM]ock\(/.test(readFileSync(join(root, test), "utf8"));
}

/** Every test, from the root of the workspace. */
function testsOf(folder: string): readonly string[] {
  return globSync(`${folder}/test/**/*.test.ts`, { cwd: root });
}

/** Projects that name the package of the test database start it, one server for all of them. */
function globalSetup(folder: string): string[] {
  const uses = readFileSync(join(root, folder, "package.json"), "utf8").includes('"@loci/test-postgres"');
  return uses ? [join(root, "tools/postgres/global-setup.ts")] : [];
}

// Worker threads and child processes of the tests strip types once, not at every start.
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules/.cache/compile");

export default defineConfig({
  // Workspace packages resolve to their TypeScript source, so tests never see a stale build.
  // Setting this replaces Vite's own list, of which "module" is left out: Node does not know it, and what it names is made
  // for bundlers (@opentelemetry/api's cannot be loaded by Node).
  ssr: { resolve: { conditions: ["@loci/source", "node", "development|production"] } },
  test: {
    passWithNoTests: true,
    // Tests wait for disks, servers and other programs for a third of their time.
    maxWorkers: availableParallelism() + 1,
    // Limits against hanging, not measurements: machines are shared and tests touch real disks. What is waited for has less
    // time than its test, so that it is said what did not come.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      ...folders.map((folder) => ({
        extends: true as const,
        test: {
          name: basename(folder),
          // One root for all: what is transformed is kept by it, and so done once for all projects.
          root,
          include: testsOf(folder).filter((test) => !replacesModules(test)),
          globalSetup: globalSetup(folder),
          // What is tested is loaded by Node itself, as a program loads it, and shared by the files of a project:
          // transforming and loading it took as long as the tests.
          execArgv: ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"],
          server: { deps: { external: [/^(?!.*\/node_modules\/).*\/src\/.*\.ts$/] } },
          isolate: false,
        },
      })),
      {
        extends: true as const,
        test: { name: "replacing-modules", root, include: folders.flatMap(testsOf).filter(replacesModules) },
      },
    ],
  },
});
