import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-empty-scopes-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  for (const [tenant, scope] of [
    ["local", "user:alice"],
    ["local", "team:kiln"],
    ["other", "user:alicia"],
  ] as const) {
    const loci = await openLoci({ tenant, dataDirectory: join(folder, "data"), index: { kind: "memory" } });
    await loci.memories.remember({ text: "The kiln is fired on Tuesdays.", scope });
    if (tenant === "local")
      await loci.blocks.create({ owner: "user:bob", label: "human", values: { name: "Bob" } }).catch(() => undefined);
    await loci.close();
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** What a command says on standard error about scopes. */
async function notes(...words: readonly string[]): Promise<readonly string[]> {
  const { code, error } = await runCommand([...words, "--as-tenant", "local"]);
  expect({ code, error }).toMatchObject({ code: 0 });
  return error.split("\n").filter((line) => line.startsWith("loci: nothing is stored"));
}

test("a scope in which nothing is stored is said, with what may have been meant of what the caller may see", async () => {
  const alicd = "loci: nothing is stored in user:alicd. Is user:alice meant?";
  expect(await notes("recall", "When is the kiln fired?", "--scope", "user:alicd", "team:kiln")).toEqual([alicd]);
  expect(await notes("assemble", "When is the kiln fired?", "--scope", "user:alicd", "--json")).toEqual([alicd]);
  expect(await notes("memories", "list", "--scope", "user:alicd", "user:alice", "--json")).toEqual([alicd]);
  expect(await notes("memories", "list", "--scope", "project:kiln")).toEqual([
    "loci: nothing is stored in project:kiln. Is team:kiln meant?",
  ]);
  expect(await notes("recall", "kiln", "--scope", "user:zoe")).toEqual([
    "loci: nothing is stored in user:zoe. `loci scopes` lists the scopes that hold something.",
  ]);
  // Where none is named, it is the scope that was read.
  expect(await notes("recall", "When is the kiln fired?")).toEqual([
    "loci: nothing is stored in global. `loci scopes` lists the scopes that hold something.",
  ]);
  expect(await notes("recall", "When is the kiln fired?", "--scope", "user:alice", "global")).toEqual([]);
  // One with blocks, one that is what it is called, and one in which nothing answers.
  expect(await notes("assemble", "kiln", "--scope", "user:bob", "global", "user:alice")).toEqual([]);
  expect(await notes("recall", "xylophone", "--scope", "user:alice")).toEqual([]);
});

test("a team without a folder is said, and one without the agent's folder is refused", async () => {
  const agent = join(folder, "agent");
  mkdirSync(join(agent, "teams", "kiln"), { recursive: true });
  writeFileSync(join(agent, "IDENTITY.md"), "I fire pots.\n");
  writeFileSync(join(agent, "INSTRUCTIONS.md"), "Be brief.\n");
  const assembled = (...words: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(["assemble", "When?", "--layout", "layeredFiles", "--as-tenant", "local", ...words]);
  const misspelt = await assembled("--files", agent, "--team", "kilm");
  expect(misspelt.error).toContain(
    `there is no folder ${join(agent, "teams", "kilm")}, so nothing of that team is shown. Is kiln meant?`,
  );
  expect((await assembled("--files", agent, "--team", "kiln")).error).not.toContain("there is no folder");
  expect(await assembled("--team", "kiln")).toMatchObject({
    code: 2,
    error: expect.stringContaining("no --files names that"),
  });
});
