import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { defaultConfiguration, startServer } from "@loci/server";
import { build, type BuildOptions } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingsOf } from "../check-package.ts";
import { type Ended, Installation } from "../installation.ts";
import { pack, type PackedPackage } from "../pack.ts";
import { publicPackages, rootManifest, withWhatTheyNeed, workspaceRoot } from "../public-packages.ts";
import { publishedManifest } from "../published-manifest.ts";

/** What `@loci/loci` may take when it is installed, in bytes. */
const largestInstallation = 45e6;

const destination = mkdtempSync(join(tmpdir(), "loci-packed-"));
const packages = publicPackages();
let packed: PackedPackage[] = [];

beforeAll(async () => {
  packed = await pack(packages, destination);
});
afterAll(() => rmSync(destination, { recursive: true, force: true }));

function tarballsFor(...names: string[]): string[] {
  const needed = new Set(withWhatTheyNeed(names).map(({ manifest }) => manifest.name));
  return packed.filter(({ manifest }) => needed.has(manifest.name)).map(({ tarball }) => tarball);
}

describe.each(packages)("$manifest.name", ({ manifest }) => {
  const found = (): PackedPackage => packed.find((each) => each.manifest.name === manifest.name) as PackedPackage;

  it("has what publint and attw ask for", async () => {
    await expect(findingsOf(found().tarball)).resolves.toEqual([]);
  });

  it("has its licence, its built code and nothing of the workspace", () => {
    const { files } = found();
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(
      files.some((file) => /^dist\/.*\.js$/.test(file)),
      "build first: npm run build",
    ).toBe(true);
    expect(files.filter((file) => /\.map$|^src\/|^test\/|tsbuildinfo|node_modules/.test(file))).toEqual([]);
  });

  it("has its modules joined: to find and read one takes a program a millisecond", () => {
    const modules = found().files.filter((file) => /^dist\/.*\.js$/.test(file) && !file.startsWith("dist/page/"));
    expect(modules.length).toBeLessThan(20);
  });

  it("says what it is, where it comes from and what it takes", () => {
    const published = publishedManifest(found());
    expect(published).toMatchObject({
      license: rootManifest["license"],
      repository: { type: "git", directory: found().folder },
      engines: { node: ">=22.13" },
      description: expect.stringMatching(/\.$/) as string,
    });
    expect(published).toHaveProperty("sideEffects");
    expect(JSON.stringify(published)).not.toMatch(/@loci\/source|devDependencies|"scripts"/);
  });
});

describe("somebody who has only the packages", () => {
  const installation = new Installation();
  const answer = { recalled: ["Billing uses PostgreSQL 17."] };

  let said = "";
  beforeAll(async () => {
    said = await installation.install(tarballsFor("@loci/loci"));
  });
  afterAll(() => installation[Symbol.dispose]());

  it("is warned of nothing while installing", () => {
    expect(said).not.toMatch(/EBADENGINE|deprecated|peer/);
  });

  it("has less than 45 MB of @loci/loci", () => {
    const size = installation.size();
    console.log(`@loci/loci takes ${(size / 1e6).toFixed(1)} MB installed, of ${largestInstallation / 1e6}`);
    expect(size).toBeLessThan(largestInstallation);
  });

  it.each(["use-loci.mjs", "use-loci.cjs"])("remembers and assembles with %s", async (program) => {
    const ended = await installation.run(process.execPath, [installation.add(program), "data"]);
    expect(answerOf(ended)).toMatchObject({ ...answer, context: expect.stringContaining("PostgreSQL 17") as string });
  });

  it("bundles a program with esbuild that leaves @loci/loci out", async () => {
    await bundle("use-loci.mjs", { format: "esm", external: ["@loci/loci"], outfile: "outside.mjs" });
    expect(answerOf(await installation.run(process.execPath, ["outside.mjs", "data"]))).toMatchObject(answer);
  });

  it.each([
    { program: "use-loci.mjs", format: "esm", outfile: "inside.mjs" },
    { program: "use-loci.cjs", format: "cjs", outfile: "inside.cjs" },
  ] as const)("is told what to leave out of a bundle of $program", async ({ program, format, outfile }) => {
    await bundle(program, { format, outfile });
    const { stderr, exitCode } = await installation.run(process.execPath, [outfile, "data"]);
    expect(stderr).toContain("@loci/loci was put into a bundle");
    expect(stderr).toContain("--external:@loci/loci");
    expect(exitCode).toBe(1);
  });

  describe("and the client", () => {
    beforeAll(async () => {
      await installation.install(tarballsFor("@loci/loci", "@loci/client"));
    });

    it("finds every type", async () => {
      const program = installation.add("check-types.ts");
      const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--skipLibCheck", "false"];
      const compiler = join(workspaceRoot, "node_modules/typescript/bin/tsc");
      const types = ["--typeRoots", join(workspaceRoot, "node_modules/@types"), "--types", "node"];
      const ended = await installation.run(process.execPath, [compiler, ...options, ...types, program]);
      expect(ended).toMatchObject({ exitCode: 0, stdout: "" });
    });

    it("talks to a server, from a bundle too", async () => {
      await using server = await startServer(
        {
          ...defaultConfiguration,
          listen: { address: "127.0.0.1", port: 0 },
          dataDirectory: join(destination, "served"),
        },
        { writeLog: () => {} },
      ).then((running) => ({ [Symbol.asyncDispose]: () => running.close(0) }));
      void server;
      await bundle("use-client.mjs", { format: "esm", outfile: "client.mjs", banner: requireInModules });
      for (const program of [installation.add("use-client.mjs"), "client.mjs"])
        expect(answerOf(await installation.run(process.execPath, [program, join(destination, "served")]))).toEqual(
          answer,
        );
    });
  });

  describe("and the command", () => {
    const environment = { LOCI_DATA_DIR: join(destination, "commanded") };
    const bin = (): string => join(installation.folder, "node_modules/@loci/cli/bin/loci.js");

    beforeAll(async () => {
      await installation.install(tarballsFor("@loci/cli"));
    });

    async function loci(...command: readonly string[]): Promise<string> {
      const ended = await installation.run(process.execPath, [bin(), ...command], environment);
      expect(ended).toMatchObject({ exitCode: 0 });
      return ended.stdout;
    }

    /** What serves are processes and threads, which are started by their files. */
    async function serve(): Promise<AsyncDisposable> {
      const command = [bin(), "serve", "--listen", "127.0.0.1:0", "--workers", "2"];
      const options = { cwd: installation.folder, env: { ...process.env, ...environment } };
      const server = spawn(process.execPath, command, { ...options, stdio: ["ignore", "pipe", "inherit"] });
      const ended = once(server, "exit");
      for await (const line of createInterface(server.stdout)) if (line.startsWith("Serving ")) break;
      server.stdout.resume();
      return {
        async [Symbol.asyncDispose]() {
          server.kill("SIGTERM");
          expect(await ended).toEqual([0, null]);
        },
      };
    }

    it("remembers, serves with workers, and makes memories of a session", async () => {
      await loci("remember", "The orchard has forty quince trees.", "--scope", "user:ann");
      expect(await loci("recall", "quince", "--scope", "user:ann")).toContain("forty quince trees");
      const transcript = join(destination, "chat.json");
      const told = { role: "user", content: "I'm allergic to walnuts." };
      writeFileSync(transcript, JSON.stringify([told, { role: "assistant", content: "Noted." }]));
      await using _server = await serve();
      await loci("sessions", "import", transcript, "--scope", "user:bob");
      await loci("sessions", "close", "chat", "--scope", "user:bob");
      expect(await loci("memories", "list", "--scope", "user:bob")).toContain("The user is allergic to walnuts");
      expect(await loci("recall", "quince", "--scope", "user:ann")).toContain("forty quince trees");
    });
  });

  function bundle(program: string, options: BuildOptions): Promise<unknown> {
    return build({
      absWorkingDir: installation.folder,
      entryPoints: [installation.add(program)],
      bundle: true,
      platform: "node",
      target: "node22",
      logLevel: "silent",
      ...options,
    });
  }
});

/** Packages in CommonJS that are bundled into an ES module call `require`. */
const requireInModules = {
  js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
};

function answerOf({ stdout, stderr, exitCode }: Ended): unknown {
  if (exitCode !== 0) throw new Error(`The program ended with ${exitCode}:\n${stderr}`);
  return JSON.parse(stdout);
}
