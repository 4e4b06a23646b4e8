import { LociError } from "@loci/domain";
import type { BlockField, BlockSchema } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci } from "../config/open-data-directory.ts";
import { writeBlocks } from "../config/write-blocks.ts";
import { oneLine } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";
import { readTextFile } from "./text-option.ts";

/** `loci blocks schemas` and `loci blocks schema show|create|delete`: the forms that blocks may have. */
export function addBlockSchemaCommands(blocks: Command, { signal }: CommandEnvironment): void {
  addDataOptions(blocks.command("schemas"))
    .description("list the forms that blocks may have")
    .action(async (options: DataOptions) => {
      const schemas = await withLoci(options, "read", (loci) => loci.blocks.schemas.list({ signal }));
      if (options.json === true) printJson({ schemas });
      else
        for (const { name, description = "" } of schemas) printLine(`${name.padEnd(20)}  ${oneLine(description, 90)}`);
    });

  const schema = blocks.command("schema").description("look at a form, make one, or remove it");

  addDataOptions(schema.command("show <name>"))
    .description("show the fields of a form")
    .action(async (name: string, options: DataOptions) => {
      const schemas = await withLoci(options, "read", (loci) => loci.blocks.schemas.list({ signal }));
      const found = schemas.find((one) => one.name === name);
      if (found === undefined) throw unknownSchema(name);
      if (options.json === true) printJson(found);
      else printSchema(found);
    });

  addDataOptions(schema.command("create <file>"))
    .description("make a form of a TOML file: name, description, and [[fields]]")
    .action(async (file: string, options: DataOptions) => {
      const { parseBlockSchema } = await import("@loci/loci");
      const given = parseBlockSchema(await readTextFile(file));
      const created = await writeBlocks(options, signal, (loci) => loci.blocks.schemas.create(given, { signal }));
      if (options.json === true) printJson(created);
      else printLine(`Created ${created.name}: loci blocks create LABEL --schema ${created.name} --scope OWNER`);
    });

  addDataOptions(schema.command("delete <name>"))
    .description("remove a form that no block has")
    .action(async (name: string, options: DataOptions) => {
      await writeBlocks(options, signal, (loci) => loci.blocks.schemas.delete(name, { signal }));
      if (options.json === true) printJson({ deleted: name });
      else printLine(`Deleted: ${name}`);
    });
}

function printSchema({ name, description = "", fields }: BlockSchema): void {
  printLine(description === "" ? name : `${name}: ${oneLine(description, 200)}`);
  for (const field of fields) printLine(`  ${field.name.padEnd(20)}  ${[field.type, ...rulesOf(field)].join(", ")}`);
}

function rulesOf({ required, max, overflow, options, default: given, description }: BlockField): readonly string[] {
  return [
    ...(required === true ? ["required"] : []),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(overflow === "archive" ? ["the oldest become memories"] : []),
    ...(options === undefined ? [] : [options.map((option) => oneLine(option, 40)).join(" | ")]),
    ...(given === undefined ? [] : [`default ${oneLine(String(given), 60)}`]),
    ...(description === undefined ? [] : [oneLine(description, 80)]),
  ];
}

function unknownSchema(name: string): LociError {
  return new LociError("SCHEMA_NOT_FOUND", {
    message: `There is no form ${oneLine(name, 80)}.`,
    resource: name,
    advice: "List them: loci blocks schemas.",
  });
}
