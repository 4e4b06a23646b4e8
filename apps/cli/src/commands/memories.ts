import { type Command, Option } from "commander";
import {
  type GetMemoriesResult,
  memoryId,
  type MemoryOrder,
  memoryOrders,
  type MemoryState,
  memoryStates,
  unpackedMemoryIds,
} from "@loci/domain";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci } from "../config/open-data-directory.ts";
import { noteEmptyScopes } from "../config/note-empty-scopes.ts";
import { printJson } from "../output/print-json.ts";
import { printMemory, printMemoryLines, printVersions } from "../output/print-memories.ts";
import { addChangeMemoryCommands } from "./change-memory.ts";
import { parseInstantOption } from "./instant-option.ts";
import { type KeyOptions, keyHelp, namedMemory } from "./named-memory.ts";
import { recallAndPrint } from "./recall.ts";
import { parseListLimit, parseNumber } from "./number-option.ts";
import { printLine } from "../output/terminal.ts";

interface ListOptions extends DataOptions {
  readonly category?: readonly string[];
  readonly limit: number;
}

interface ListMemoriesOptions extends ListOptions {
  readonly state?: readonly MemoryState[];
  readonly valid?: boolean;
  readonly validAt?: number;
}

interface ListIdsOptions extends DataOptions {
  readonly category?: readonly string[];
  readonly state?: readonly MemoryState[];
  readonly text?: string;
  readonly order: MemoryOrder;
}

/** `loci memories list|ids|show|history|update|restore|forget|why`. */
export function addMemoriesCommands(program: Command, environment: CommandEnvironment): void {
  const { signal } = environment;
  const memories = program.command("memories").description("look at what is remembered, and change it");

  addDataOptions(memories.command("list"))
    .description("list memories, newest first")
    .option("--category <category...>", "only these categories")
    .addOption(
      new Option(
        "--state <state...>",
        "active (the default), quarantined: what waits for approval, or deleted",
      ).choices(memoryStates),
    )
    .addOption(new Option("--valid", "only what holds now, nothing that is closed").conflicts("validAt"))
    .option("--valid-at <date>", "only what was true then", parseInstantOption)
    .option("--limit <number>", "most memories", parseListLimit, 50)
    .action(async (options: ListMemoriesOptions) => {
      const { category: categories, state: states, limit: pageSize } = options;
      const validAt = options.valid === true ? Date.now() : options.validAt;
      const scopes = readScopes(options);
      const { memories, nextPageToken } = await withLoci(options, "read", async (loci) => {
        const page = await loci.memories.list({ scopes, categories, states, validAt, pageSize }, { signal });
        if (page.nextPageToken === undefined) await noteEmptyScopes(loci, scopes, signal, page.memories);
        return page;
      });
      if (options.json === true) printJson({ memories, nextPageToken });
      else {
        printMemoryLines(memories);
        if (nextPageToken !== undefined) printLine(`… and more: raise --limit above ${options.limit}.`);
        if (memories.length === 0)
          printLine(
            `Nothing in ${options.scope.join(", ")}. Other scopes: --scope; \`loci scopes\` lists those that hold something.`,
          );
      }
    });

  addDataOptions(memories.command("ids"))
    .description("list the ids of all memories, one a line")
    .option("--category <category...>", "only these categories")
    .addOption(new Option("--state <state...>", "active (the default), quarantined, or deleted").choices(memoryStates))
    .option("--text <text>", "only memories whose text holds this, in capital or small letters")
    .addOption(new Option("--order <order>", "the largest first").choices(memoryOrders).default("created"))
    .action(async (options: ListIdsOptions) => {
      const { category: categories, state: states, text, order: orderBy } = options;
      await withLoci(options, "read", async (loci) => {
        const request = { scopes: readScopes(options), categories, states, text, orderBy };
        for await (const { ids } of loci.memories.ids(request, { signal }))
          for (const id of unpackedMemoryIds(ids)) printLine(options.json === true ? JSON.stringify({ id }) : id);
      });
    });

  addDataOptions(memories.command("show [id...]"))
    .alias("get")
    .description("show memories with all their fields, at most 500; or the one that has a key")
    .option("--key <key>", keyHelp)
    .action(async (ids: readonly string[], options: KeyOptions) => {
      if (ids.length > 1 && options.key === undefined) {
        const found = await withLoci(options, "read", (loci) =>
          loci.memories.getMany({ ids: ids.map(memoryId) }, { signal }),
        );
        if (options.json === true) printJson(found);
        else printManyMemories(found);
        return;
      }
      const which = namedMemory(ids[0], options);
      const memory = await withLoci(options, "read", (loci) => loci.memories.get(which, { signal }));
      if (options.json === true) printJson(memory);
      else printMemory(memory);
    });

  addDataOptions(memories.command("history <id>"))
    .description("show every version of a memory, oldest first, and what each changed")
    .action(async (id: string, options: DataOptions) => {
      const versions = await withLoci(options, "read", (loci) => loci.memories.versions(memoryId(id), { signal }));
      if (options.json === true) printJson({ versions });
      else printVersions(versions);
    });

  addChangeMemoryCommands(memories, environment);

  addDataOptions(memories.command("forget <id>"))
    .description("forget a memory; its versions stay until they are purged")
    .action(async (id: string, options: DataOptions) => {
      await withLoci(options, "read", (loci) => loci.memories.forget(memoryId(id), undefined, { signal }));
      if (options.json === true) printJson({ forgotten: id });
      else printLine(`Forgotten: ${id}. Back again: loci memories restore ${id}`);
    });

  addDataOptions(memories.command("why <query>"))
    .description("show why memories would be recalled: content, last access, every part of the score")
    .option("--limit <number>", "most memories", parseNumber, 5)
    .action((query: string, options: ListOptions) => recallAndPrint(query, { ...options, explain: true }, environment));
}

function printManyMemories({ memories, missing, unread }: GetMemoriesResult): void {
  for (const memory of memories) {
    printMemory(memory);
    printLine("");
  }
  if (missing.length > 0) printLine(`There is none that you may read: ${missing.join(", ")}`);
  if (unread.length > 0) printLine(`Too much to show at once, ask for these again: ${unread.join(" ")}`);
}
