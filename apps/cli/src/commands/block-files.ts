import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Loci, LociError, type ProposedBlockEdit, type ScopeText } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { writeBlocks } from "../config/write-blocks.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

const blockFile = /^([a-z][a-z0-9_]{0,63})\.toml$/u;
const reason = "Import from files";

/** `loci blocks export|import`: a folder with `blocks/LABEL.toml` and `pending_diffs/ID.json`, as the git mirror has it. */
export function addBlockFileCommands(blocks: Command, { signal }: CommandEnvironment): void {
  addDataOptions(blocks.command("export <folder>"))
    .description("write the blocks of an owner, and the edits that wait, into a folder")
    .action(async (folder: string, options: DataOptions) => {
      const owner = writeScope(options);
      const written = await withLoci(options, "read", async (loci) => {
        const found = await loci.blocks.list({ owner }, { signal });
        mkdirSync(join(folder, "blocks"), { recursive: true });
        mkdirSync(join(folder, "pending_diffs"), { recursive: true });
        for (const { label } of found) {
          const { toml } = await loci.blocks.get({ owner, label }, { signal });
          writeFileSync(join(folder, "blocks", `${label}.toml`), toml);
        }
        const { edits } = await loci.blocks.listEdits({ owner, pageSize: 1_000 }, { signal });
        for (const edit of edits)
          writeFileSync(join(folder, "pending_diffs", `${edit.id}.json`), `${JSON.stringify(edit, null, 2)}\n`);
        return { blocks: found.length, edits: edits.length };
      });
      if (options.json === true) printJson(written);
      else printLine(`${written.blocks} blocks and ${written.edits} edits are in ${folder}.`);
    });

  addDataOptions(blocks.command("import <folder>"))
    .description("take over blocks from a folder that was exported, or a git mirror; edits are proposed again")
    .action(async (folder: string, options: DataOptions) => {
      const owner = writeScope(options);
      if (!existsSync(join(folder, "blocks"))) throw notThere(folder);
      const done = await writeBlocks(options, signal, async (loci) => ({
        ...(await importBlocks({ loci, owner, signal }, folder)),
        proposed: await importEdits({ loci, owner, signal }, folder),
      }));
      if (options.json === true) printJson(done);
      else printLine(`${done.created} created, ${done.changed} changed, ${done.proposed} proposed.`);
    });
}

interface Importing {
  readonly loci: Loci;
  readonly owner: ScopeText;
  readonly signal: AbortSignal;
}

async function importBlocks(
  { loci, owner, signal }: Importing,
  folder: string,
): Promise<{ readonly created: number; readonly changed: number }> {
  let created = 0;
  let changed = 0;
  const there = new Map((await loci.blocks.list({ owner }, { signal })).map((block) => [block.label, block]));
  for (const name of readdirSync(join(folder, "blocks")).toSorted()) {
    const label = blockFile.exec(name)?.[1];
    if (label === undefined) continue;
    const toml = readFileSync(join(folder, "blocks", name), "utf8");
    const before = there.get(label);
    if (before === undefined) {
      await loci.blocks.create({ owner, label, toml, reason }, { signal });
      created++;
    } else {
      const { etag, version } = before;
      const { block } = await loci.blocks.update({ owner, label }, { toml, reason }, { etag }, { signal });
      if (block.version > version) changed++;
    }
  }
  return { created, changed };
}

async function importEdits({ loci, owner, signal }: Importing, folder: string): Promise<number> {
  const parent = join(folder, "pending_diffs");
  let proposed = 0;
  for (const name of existsSync(parent) ? readdirSync(parent).toSorted() : []) {
    if (!name.endsWith(".json")) continue;
    const edit = JSON.parse(readFileSync(join(parent, name), "utf8")) as ProposedBlockEdit;
    // They were made for versions that are not these; what cannot be applied is refused.
    const { label, operations, reason: why = reason } = edit;
    await loci.blocks.propose({ owner, label, operations, reason: why }, { signal });
    proposed++;
  }
  return proposed;
}

function notThere(folder: string): LociError {
  return new LociError("FILE_NOT_FOUND", {
    message: `${folder} has no folder blocks.`,
    resource: folder,
    advice: "Name a folder that loci blocks export has written, or a git mirror.",
  });
}
