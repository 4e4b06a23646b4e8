import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { writeBlocks } from "../config/write-blocks.ts";
import { counted, oneLine } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printLine, printNote } from "../output/terminal.ts";

/** As an export of memories: what blocks say is not for other users of the machine. Files that are there keep their mode. */
const ownersAlone = { mode: 0o600 };

interface ImportOptions extends DataOptions {
  readonly label?: string;
}

/** `loci blocks export|import`: a folder with `blocks/LABEL.toml` and `pending_diffs/ID.json`, as the git mirror has it. */
export function addBlockFileCommands(blocks: Command, { signal }: CommandEnvironment): void {
  addDataOptions(blocks.command("export <folder>"))
    .description("write the blocks of an owner, and the edits that wait, into a folder")
    .action(async (folder: string, options: DataOptions) => {
      const owner = writeScope(options);
      const written = await withLoci(options, "read", async (loci) => {
        await makeFolders(folder);
        const found = await loci.blocks.list({ owner }, { signal });
        for (const { label } of found) {
          const { toml } = await loci.blocks.get({ owner, label }, { signal });
          writeFileSync(join(folder, "blocks", `${label}.toml`), toml, ownersAlone);
        }
        const { edits } = await loci.blocks.listEdits({ owner, pageSize: 1_000 }, { signal });
        for (const edit of edits)
          writeFileSync(
            join(folder, "pending_diffs", `${edit.id}.json`),
            `${JSON.stringify(edit, null, 2)}\n`,
            ownersAlone,
          );
        return { blocks: found.length, edits: edits.length };
      });
      if (options.json === true) printJson(written);
      else printLine(`${written.blocks} blocks and ${written.edits} edits are in ${folder}.`);
    });

  addDataOptions(blocks.command("import <path>"))
    .description(
      "take over blocks from a folder that was exported, a git mirror with its history, or a core memory file; edits are proposed again",
    )
    .option(
      "--label <label>",
      "the block that a file becomes (default: core_memory, of a file that begins with its limits or is called so)",
    )
    .action(async (path: string, options: ImportOptions) => {
      const owner = writeScope(options);
      const { label } = options;
      const { importBlocks } = await import("@loci/file-import");
      const report = await writeBlocks(options, signal, (loci) =>
        importBlocks(loci, { owner, path, label }, { signal }),
      );
      const { created, changed, versions, proposed, skipped } = report;
      // A script that moves somebody's blocks has to notice that some did not come along.
      if (skipped.length > 0) process.exitCode = 1;
      if (options.json === true) return printJson(report);
      const history = versions === 0 ? "" : ` ${counted(versions, "version")} of their history.`;
      printLine(`${created} created, ${changed} changed, ${proposed} proposed.${history}`);
      for (const { file, problem } of skipped)
        printNote(`loci: left out: ${oneLine(file, 200)}: ${oneLine(problem, 200)}`);
      if (skipped.length > 0)
        printNote(
          `loci: not all was taken over: ${counted(skipped.length, "file")} left out. Importing again changes nothing that is there.`,
        );
    });
}

/** @throws LociError `FILE_NOT_FOUND` when they cannot be made */
async function makeFolders(folder: string): Promise<void> {
  const { LociError, makeDirectories } = await import("@loci/loci");
  try {
    for (const name of ["blocks", "pending_diffs"]) makeDirectories(join(folder, name));
  } catch (cause) {
    throw new LociError("FILE_NOT_FOUND", {
      message: `${folder} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      resource: folder,
      advice: "Name a folder that this user may create and write to.",
      cause,
    });
  }
}
