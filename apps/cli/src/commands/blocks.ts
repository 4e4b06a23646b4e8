import { formatScope } from "@loci/domain";
import type { BlockPolicy, BlockWrite } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { writeBlocks } from "../config/write-blocks.ts";
import { editInEditor } from "../files/edit-in-editor.ts";
import { formatInstant, oneLine } from "../output/format-text.ts";
import { printFieldChanges } from "../output/print-blocks.ts";
import { printJson } from "../output/print-json.ts";
import { printLine, printResult } from "../output/terminal.ts";
import { parseNumber } from "./number-option.ts";
import { readTextFile } from "./text-option.ts";

interface ContentOptions extends DataOptions {
  readonly file?: string;
  readonly reason?: string;
}

interface PromoteOptions extends DataOptions {
  readonly heading: string;
}

interface CreateOptions extends ContentOptions {
  readonly schema?: string;
  readonly preset?: string;
  readonly policy?: BlockPolicy;
  readonly description?: string;
}

/** `loci blocks list|create|show|edit|history|diff|restore|promote|demote|delete`: `--scope` names the owner. */
export function addBlocksCommands(blocks: Command, { signal }: CommandEnvironment): void {
  addDataOptions(blocks.command("list"))
    .description("list the blocks of an owner, such as --scope user:alice")
    .action(async (options: DataOptions) => {
      const found = await withLoci(options, "read", (loci) =>
        loci.blocks.list({ owner: writeScope(options) }, { signal }),
      );
      if (options.json === true) printJson({ blocks: found });
      else {
        for (const { label, schema, policy, version, updatedAt } of found)
          printLine(
            `${label.padEnd(20)}  ${schema.padEnd(20)}  ${policy.padEnd(9)}  v${version}  ${formatInstant(updatedAt)}`,
          );
        if (found.length === 0) printLine(`${writeScope(options)} has no blocks. Another owner: --scope.`);
      }
    });

  addDataOptions(blocks.command("create <label>"))
    .description("create a block, from Markdown, TOML or a preset")
    .option("--schema <name>", "its form (default: the label)")
    .option("--preset <name>", "a persona that comes with Loci: assistant, code_helper, researcher")
    .option("--file <path>", "its content: Markdown, or TOML when the name ends in .toml")
    .option("--policy <policy>", "approve (default), auto or read_only")
    .option("--description <text>", "what it is for, in one line")
    .option("--reason <text>", "what this version is for")
    .action(async (label: string, options: CreateOptions) => {
      const { schema, preset, policy, description, reason } = options;
      const input = {
        owner: writeScope(options),
        label,
        schema,
        preset,
        policy,
        description,
        reason,
        ...(await contentOf(options)),
      };
      const block = await writeBlocks(options, signal, (loci) => loci.blocks.create(input, { signal }));
      if (options.json === true) printJson(block);
      else {
        printLine(`Created ${label}, version ${block.version}.`);
        if (Object.keys(block.values).length === 0)
          printLine(`It says nothing yet: loci blocks edit ${label} --scope ${formatScope(block.owner)}`);
      }
    });

  addDataOptions(blocks.command("show <label>"))
    .description("show a block as Markdown")
    .option("--version <version>", "as it was: a version, or at least 7 digits of its commit")
    .option("--form <form>", "markdown, toml, or text as contexts show it", "markdown")
    .action(async (label: string, options: DataOptions & { version?: string; form: string }) => {
      const request = { owner: writeScope(options), label, version: options.version };
      const block = await withLoci(options, "read", (loci) => loci.blocks.get(request, { signal }));
      if (options.json === true) printJson(block);
      else printResult(options.form === "toml" ? block.toml : options.form === "text" ? block.text : block.markdown);
    });

  addDataOptions(blocks.command("edit <label>"))
    .description("edit a block as Markdown, in $EDITOR or from a file")
    .option("--file <path>", "its content instead: Markdown, or TOML when the name ends in .toml")
    .option("--reason <text>", "what this version is for")
    .action(async (label: string, options: ContentOptions) => {
      const name = { owner: writeScope(options), label };
      const { writeBlockMarkdown } = await import("@loci/loci");
      const { read, shown } = await withLoci(options, "read", async (loci) => {
        const block = await loci.blocks.get(name, { signal });
        const schema = (await loci.blocks.schemas.list({ signal })).find((one) => one.name === block.schema);
        // With the headings of what it does not say yet, so that nobody has to know them.
        const markdown = schema && writeBlockMarkdown(label, schema, block.values, { emptyFields: true });
        return { read: block, shown: markdown ?? block.markdown };
      });
      const given = await contentOf(options);
      const content = Object.keys(given).length > 0 ? given : { markdown: await editInEditor(`${label}.md`, shown) };
      const patch = { ...content, reason: options.reason };
      const write = await writeBlocks(options, signal, (loci) =>
        loci.blocks.update(name, patch, { etag: read.etag }, { signal }),
      );
      printWrite(write, options);
    });

  addDataOptions(blocks.command("history <label>"))
    .description("show what happened to a block, newest first")
    .option("--limit <number>", "most versions", parseNumber, 10)
    .action(async (label: string, options: DataOptions & { limit: number }) => {
      const request = { owner: writeScope(options), label, pageSize: options.limit };
      const history = await withLoci(options, "read", (loci) => loci.blocks.history(request, { signal }));
      if (options.json === true) printJson(history);
      else
        for (const { version, commitId, author, approver, message, at } of history.versions) {
          const who = approver === undefined ? author : `${author}, approved by ${approver}`;
          printLine(
            `${String(version).padStart(4)}  ${commitId.slice(0, 7)}  ${formatInstant(at)}  ${oneLine(who, 40)}: ${oneLine(message, 60)}`,
          );
        }
    });

  addDataOptions(blocks.command("diff <label> <from> [to]"))
    .description("compare two versions of a block; to is the newest unless given")
    .action(async (label: string, from: string, to: string | undefined, options: DataOptions) => {
      const request = { owner: writeScope(options), label, from, to };
      const diff = await withLoci(options, "read", (loci) => loci.blocks.diff(request, { signal }));
      if (options.json === true) printJson(diff);
      else printFieldChanges(diff.changes);
    });

  addDataOptions(blocks.command("restore <label> <version>"))
    .description("make an old version the newest one")
    .option("--reason <text>", "what this version is for")
    .action(async (label: string, version: string, options: ContentOptions) => {
      const request = { owner: writeScope(options), label, version, reason: options.reason };
      printWrite(await writeBlocks(options, signal, (loci) => loci.blocks.restore(request, { signal })), options);
    });

  addDataOptions(blocks.command("promote <label> <memory>"))
    .description("give a memory a line below a heading of a document, such as core_memory; it stays a memory")
    .requiredOption("--heading <heading>", "where it stands, such as 'Critical rules'")
    .action(async (label: string, memory: string, options: PromoteOptions) => {
      const request = { owner: writeScope(options), label, memory, heading: options.heading };
      printWrite(await writeBlocks(options, signal, (loci) => loci.blocks.promote(request, { signal })), options);
    });

  addDataOptions(blocks.command("demote <label> <line>"))
    .description("take a line out of a document, and make a memory of it")
    .action(async (label: string, line: string, options: DataOptions) => {
      const request = { owner: writeScope(options), label, line };
      printWrite(await writeBlocks(options, signal, (loci) => loci.blocks.demote(request, { signal })), options);
    });

  addDataOptions(blocks.command("delete <label>"))
    .description("delete a block; its history stays")
    .action(async (label: string, options: DataOptions) => {
      const name = { owner: writeScope(options), label };
      await writeBlocks(options, signal, (loci) => loci.blocks.delete(name, undefined, { signal }));
      if (options.json === true) printJson({ deleted: label });
      else printLine(`Deleted: ${label}`);
    });
}

/** What became of a write: a version, or an edit that waits. */
export function printWrite(write: BlockWrite, { json }: DataOptions): void {
  const { block, edit } = write;
  if (json === true) printJson(write);
  else if (edit === undefined) printLine(`${block.label} is at version ${block.version}.`);
  else printLine(`Proposed as ${edit.id}: somebody has to approve it.`);
}

async function contentOf({ file }: ContentOptions): Promise<{ readonly markdown?: string; readonly toml?: string }> {
  if (file === undefined) return {};
  const text = await readTextFile(file);
  return file.endsWith(".toml") ? { toml: text } : { markdown: text };
}
