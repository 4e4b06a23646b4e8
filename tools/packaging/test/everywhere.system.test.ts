import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Installation } from "../installation.ts";
import { pack } from "../pack.ts";
import { withWhatTheyNeed } from "../public-packages.ts";
import { formerNode, missingRuntime, runtimes } from "../runtimes.ts";

// Takes some hundred megabytes from npm: `LOCI_PACKAGES_EVERYWHERE=1`, as the nightly run does.
describe.skipIf(process.env["LOCI_PACKAGES_EVERYWHERE"] === undefined)("the packages", { timeout: 900_000 }, () => {
  const destination = mkdtempSync(join(tmpdir(), "loci-packed-"));
  const answer = { recalled: ["Billing uses PostgreSQL 17."] };
  let tarballs: string[] = [];

  beforeAll(async () => {
    tarballs = (await pack(withWhatTheyNeed(["@loci/loci"]), destination)).map(({ tarball }) => tarball);
  });
  afterAll(() => rmSync(destination, { recursive: true, force: true }));

  describe("elsewhere than on the newest Node", () => {
    const installation = new Installation();
    beforeAll(async () => {
      await installation.install(tarballs);
    }, 900_000);
    afterAll(() => installation[Symbol.dispose]());

    for (const runtime of runtimes)
      it.for(["use-loci.mjs", "use-loci.cjs"])(`work on ${runtime.title} with %s`, async (program, { skip }) => {
        const missing = missingRuntime(runtime);
        if (missing !== undefined) return skip(missing);
        const command = [...runtime.command, installation.add(program), `data of ${runtime.title}`];
        const { stdout, stderr, exitCode } = await installation.run(runtime.program, command);
        expect(`${exitCode} ${stderr}`).not.toMatch(/^[^0]|error|uncaught/i);
        expect(JSON.parse(stdout)).toMatchObject(answer);
      });

    it("say in one sentence that Node 20 is too old", async ({ skip }) => {
      const missing = missingRuntime(formerNode);
      if (missing !== undefined) return skip(missing);
      const { stderr, exitCode } = await installation.run(formerNode.program, [
        installation.add("use-loci.mjs"),
        "data",
      ]);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^Error: Loci needs Node 22\.13 or newer.*; this is Node 20\./m);
    });
  });

  it("work in the server of a Next.js application", async ({ skip }) => {
    using application = new Installation();
    try {
      await application.install(["next", "react", "react-dom", ...tarballs]);
    } catch (error) {
      return skip(`Next.js cannot be installed here: ${(error as Error).message}`);
    }
    application.addFixture("next-application");
    const environment = { NEXT_TELEMETRY_DISABLED: "1", LOCI_DATA_DIR: "data" };
    const next = join(application.folder, "node_modules/next/dist/bin/next");
    const built = await application.run(process.execPath, [next, "build"], environment);
    expect(built.exitCode === 0 ? "built" : built.stdout + built.stderr).toBe("built");

    const port = await freePort();
    const server = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
      cwd: application.folder,
      env: { ...process.env, ...environment },
      stdio: "ignore",
    });
    try {
      await expect
        .poll(() => fetch(`http://127.0.0.1:${port}/api/recall`).then((response) => response.json()), {
          timeout: 120_000,
        })
        .toEqual(answer);
    } finally {
      server.kill();
    }
  });
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
