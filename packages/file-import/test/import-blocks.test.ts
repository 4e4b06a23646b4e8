import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { importBlocks } from "@loci/file-import";
import { type Loci, openLoci } from "@loci/loci";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readGitHistory } from "../src/blocks/read-git-history.ts";
import { gitEnvironment } from "../src/git-environment.ts";

const ann = "user:ann";
const bob = "user:bob";
let directory: string;
let loci: Loci;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-blocks-"));
  loci = await openLoci({ tenant: "local", dataDirectory: join(directory, "data"), index: "memory" });
});
afterEach(async () => {
  await loci.close();
  rmSync(directory, { recursive: true });
});

const hasGit = ((): boolean => {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const nothing = { created: 0, changed: 0, versions: 0, proposed: 0, skipped: [] };

/** Blocks of Ann with a history, mirrored. @returns the folder of the mirror */
async function mirrored(): Promise<string> {
  const human = { owner: ann, label: "human" } as const;
  const { etag } = await loci.blocks.create({ ...human, values: { name: "Ann" }, reason: "First meeting" });
  const edit = await loci.blocks.propose({
    ...human,
    operations: [{ op: "append", field: "facts", value: "sings" }],
    reason: "She said so",
  });
  const { preview } = await loci.blocks.getEdit({ id: edit.id });
  if (preview === undefined) throw new Error("no preview");
  await loci.blocks.approve({ id: edit.id, baseVersion: preview.baseVersion, contentHash: preview.contentHash });
  expect(etag).toBeTruthy();
  await loci.blocks.create({ owner: ann, label: "persona", preset: "assistant" });
  await loci.blocks.delete({ owner: ann, label: "persona" });
  await loci.blocks.create({ owner: ann, label: "persona", preset: "researcher", reason: "Back again" });
  await loci.blocks.propose({ ...human, operations: [{ op: "append", field: "facts", value: "rows" }] });
  await loci.settled();
  const tenant = join(directory, "data", "git-mirrors");
  const [folder = ""] = readdirSync(tenant);
  const owner = readdirSync(join(tenant, folder)).find((name) => name.startsWith("user-ann"));
  return join(tenant, folder, owner ?? "");
}

async function messages(owner: typeof ann | typeof bob, label: string): Promise<readonly string[]> {
  const { versions } = await loci.blocks.history({ owner, label });
  return versions.map(({ message }) => message.split("\n")[0] ?? "");
}

describe.skipIf(!hasGit)("a git mirror", () => {
  test("is taken over with its history, and again changes nothing", async () => {
    const folder = await mirrored();
    expect(await importBlocks(loci, { owner: bob, path: folder })).toEqual({
      ...nothing,
      created: 2,
      versions: 5,
      proposed: 1,
    });
    for (const label of ["human", "persona"]) {
      const [one, other] = await Promise.all([ann, bob].map((owner) => loci.blocks.get({ owner, label } as never)));
      expect(other?.toml).toBe(one?.toml);
      expect(await messages(bob, label)).toEqual(await messages(ann, label));
    }
    const { versions } = await loci.blocks.history({ owner: bob, label: "human" });
    expect(versions[0]?.message).toMatch(/^She said so\n\nImported: local, \d{4}-\d\d-\d\dT[\d:+Z-]+, [0-9a-f]{40}$/);
    const first = await loci.blocks.get({ owner: bob, label: "human", version: 1 });
    expect(first.values).toEqual((await loci.blocks.get({ owner: ann, label: "human", version: 1 })).values);
    expect(await importBlocks(loci, { owner: bob, path: folder })).toEqual(nothing);
  });

  test("is read no further when the call is over, and nothing of it is left to nobody", async () => {
    const folder = await mirrored();
    const programs = join(directory, "programs");
    const started = join(directory, "started");
    const path = gitEnvironment["PATH"] ?? "";
    mkdirSync(programs);
    writeFileSync(
      join(programs, "git"),
      `#!/bin/sh\ncase "$1" in cat-file) : > '${started}'; exec sleep 60 ;; esac\nPATH='${path}' exec git "$@"\n`,
      { mode: 0o755 },
    );
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    gitEnvironment["PATH"] = `${programs}${delimiter}${path}`;
    onTestFinished(() => {
      gitEnvironment["PATH"] = path;
      process.off("unhandledRejection", unhandled);
    });
    const caller = new AbortController();
    const reading = readGitHistory(folder, caller.signal);
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), 10_000);
    caller.abort();
    await expect(reading).rejects.toMatchObject({ reason: "CANCELLED" });
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("that was packed by git, and changed by hand since, is taken over as it is", async () => {
    const folder = await mirrored();
    execFileSync("git", ["-C", folder, "gc", "--quiet", "--prune=now"]);
    execFileSync("git", ["-C", folder, "pack-refs", "--all"]);
    writeFileSync(join(folder, "blocks", "human.toml"), 'name = "Bea"\n');
    expect(await importBlocks(loci, { owner: bob, path: folder })).toMatchObject({ created: 2, versions: 5 });
    expect((await loci.blocks.get({ owner: bob, label: "human" })).values).toMatchObject({ name: "Bea" });
    expect((await messages(bob, "human"))[0]).toBe("Import from files");
  });

  test("of an owner who has the block already is its newest version alone", async () => {
    const folder = await mirrored();
    await loci.blocks.create({ owner: bob, label: "human", values: { name: "Bob" } });
    expect(await importBlocks(loci, { owner: bob, path: folder })).toMatchObject({ created: 1, changed: 1 });
    expect(await messages(bob, "human")).toEqual(["Import from files", "Create human"]);
  });

  test("runs nothing, and leads nowhere, whatever it holds", async () => {
    const folder = await mirrored();
    const canary = join(directory, "canary");
    const script = join(directory, "script");
    writeFileSync(script, `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(script, 0o755);
    const names = ["fsmonitor", "pager", "sshCommand", "editor", "askPass", "hooksPath"];
    writeFileSync(
      join(folder, ".git", "config"),
      `[core]\n${names.map((name) => `\t${name} = ${script}\n`).join("")}[gpg]\n\tprogram = ${script}\n[log]\n\tshowSignature = true\n` +
        `[diff "x"]\n\ttextconv = ${script}\n\tcommand = ${script}\n[filter "x"]\n\tsmudge = ${script}\n\trequired = true\n[alias]\n\tlog = !${script}\n`,
    );
    writeFileSync(join(folder, ".gitattributes"), "* diff=x filter=x\n");
    mkdirSync(join(folder, ".git", "info"), { recursive: true });
    writeFileSync(join(folder, ".git", "info", "attributes"), "* diff=x filter=x\n");
    const secret = join(directory, "secret.toml");
    writeFileSync(secret, 'name = "secret"\n');
    unlinkSync(join(folder, "blocks", "human.toml"));
    symlinkSync(secret, join(folder, "blocks", "human.toml"));
    writeFileSync(join(folder, "pending_diffs", "x.json"), "{");
    writeFileSync(join(folder, "blocks", "journey.toml"), "= no toml");
    writeFileSync(join(folder, "blocks", "..toml"), "x");
    const { skipped, created } = await importBlocks(loci, { owner: bob, path: folder });
    expect(existsSync(canary)).toBe(false);
    expect(created).toBe(2);
    expect(skipped.map(({ file, problem }) => `${file} ${problem}`)).toEqual([
      "blocks/human.toml is no plain file",
      "pending_diffs/x.json is no edit",
      expect.stringMatching(/^blocks\/journey\.toml .*ine 1/),
    ]);
    expect(JSON.stringify(await loci.blocks.list({ owner: bob }))).not.toContain("secret");
  });

  test("whose files or objects are links, or borrowed, is not followed out of its folder", async () => {
    const folder = await mirrored();
    const git = join(folder, ".git");
    const elsewhere = join(directory, "elsewhere");
    cpSync(git, elsewhere, { recursive: true });
    const links: readonly (readonly [name: string, target: string])[] = [
      ["HEAD", join(elsewhere, "HEAD")],
      [join("refs", "heads", "main"), join(elsewhere, "refs", "heads", "main")],
      ["refs", join(elsewhere, "refs")],
      ["objects", join(elsewhere, "objects")],
    ];
    for (const [name, target] of links) {
      rmSync(join(git, name), { recursive: true });
      symlinkSync(target, join(git, name));
      await loci.maintenance.erase({ scope: bob });
      expect(await importBlocks(loci, { owner: bob, path: folder })).toMatchObject({ created: 2, versions: 0 });
      rmSync(join(git, name));
      cpSync(target, join(git, name), { recursive: true });
    }
    mkdirSync(join(git, "objects", "info"), { recursive: true });
    writeFileSync(join(git, "objects", "info", "alternates"), `${join(elsewhere, "objects")}\n`);
    await expect(importBlocks(loci, { owner: bob, path: folder })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
      message: expect.stringContaining("borrows"),
    });
    rmSync(git, { recursive: true });
    symlinkSync(elsewhere, git);
    await loci.maintenance.erase({ scope: bob });
    expect(await importBlocks(loci, { owner: bob, path: folder })).toMatchObject({ created: 2, versions: 0 });
  });

  test("whose head leads elsewhere, or that is none, has no history", async () => {
    const folder = await mirrored();
    for (const head of ["ref: refs/heads/../../../../etc/passwd", "ref: refs/heads/none", "", "x".repeat(100_000)]) {
      writeFileSync(join(folder, ".git", "HEAD"), head);
      await loci.maintenance.erase({ scope: bob });
      expect(await importBlocks(loci, { owner: bob, path: folder })).toMatchObject({ created: 2, versions: 0 });
    }
    writeFileSync(join(folder, ".git", "HEAD"), "0123456789012345678901234567890123456789");
    await expect(importBlocks(loci, { owner: bob, path: folder })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
      message: expect.stringContaining("git"),
    });
    const signal = AbortSignal.abort();
    await expect(importBlocks(loci, { owner: bob, path: folder }, { signal })).rejects.toMatchObject({
      reason: "CANCELLED",
    });
  });
});

test("a core memory file becomes a block", async () => {
  const path = join(directory, "CORE_MEMORY.md");
  writeFileSync(path, "# About me\n- I coach swimmers.\n");
  expect(await importBlocks(loci, { owner: bob, path })).toEqual({ ...nothing, created: 1 });
  expect((await loci.blocks.get({ owner: bob, label: "core_memory" })).text).toContain("- I coach swimmers.");
  expect(await importBlocks(loci, { owner: bob, path })).toEqual(nothing);
  writeFileSync(path, `<!-- BUDGET: 1 line -->\n# About me\n- I row.\n`);
  const { skipped } = await importBlocks(loci, { owner: bob, path });
  expect(skipped).toEqual([{ file: path, problem: expect.stringContaining("more than its 1 lines") }]);
  await expect(importBlocks(loci, { owner: bob, path: join(directory, "nowhere") })).rejects.toMatchObject({
    reason: "FILE_NOT_FOUND",
  });
});

test("a file that nobody wrote as a core memory becomes one only when the block is named", async () => {
  const path = join(directory, "README.md");
  const text = "# Kiln\n\nFires pots.\n";
  writeFileSync(path, text);
  const owner = "agent:reader";
  await expect(importBlocks(loci, { owner, path })).rejects.toMatchObject({
    reason: "INVALID_BLOCK_TEXT",
    message: expect.stringContaining(`${path} is no core memory: it does not begin with its limits`),
    advice: expect.stringContaining("--label core_memory"),
  });
  expect(await loci.blocks.list({ owner })).toEqual([]);
  expect(await importBlocks(loci, { owner, path, label: "core_memory" })).toEqual({ ...nothing, created: 1 });
  writeFileSync(path, `<!-- BUDGET: 9 lines -->\n${text}`);
  expect(await importBlocks(loci, { owner, path })).toEqual({ ...nothing, changed: 1 });

  const toml = join(directory, "human.toml");
  writeFileSync(toml, 'name = "Ann"\n');
  await expect(importBlocks(loci, { owner, path: toml })).rejects.toMatchObject({
    advice: expect.stringContaining("loci blocks create LABEL --file"),
  });
});

test("a core memory file with NUL characters is no text, and nothing is made of it", async () => {
  const path = join(directory, "CORE_MEMORY.md");
  writeFileSync(path, "# About me\n- I coach\0 swimmers.\n");
  await expect(importBlocks(loci, { owner: bob, path })).rejects.toMatchObject({
    reason: "INVALID_TEXT",
    message: `${path} holds NUL characters, which no text has.`,
  });
  await expect(loci.blocks.get({ owner: bob, label: "core_memory" })).rejects.toMatchObject({
    reason: "BLOCK_NOT_FOUND",
  });
});
