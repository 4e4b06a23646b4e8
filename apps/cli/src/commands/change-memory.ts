import { type Command, InvalidArgumentError, Option } from "commander";
import { LociError, memoryId } from "@loci/domain";
import type { Etag, Instant, Memory, MemoryPatch } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { printMemory, printWarnings } from "../output/print-memories.ts";
import { parseInstantOption } from "./instant-option.ts";
import { type KeyOptions, keyHelp, namedMemory } from "./named-memory.ts";
import { parseNumber } from "./number-option.ts";
import { readText } from "./text-option.ts";

interface UpdateOptions extends KeyOptions {
  readonly text?: string;
  readonly category?: string;
  readonly importance?: number;
  readonly confidence?: number;
  /** `false`: it is taken away, as with the others. */
  readonly tag?: readonly string[] | false;
  readonly slot?: string | false;
  readonly static?: boolean;
  readonly pin?: boolean;
  readonly validFrom?: Instant | false;
  readonly validTo?: Instant | false;
  readonly expires?: Instant | false;
  readonly etag?: string;
  readonly allowMissing?: boolean;
  readonly requestId?: string;
}

/** `loci memories update ID` and `loci memories restore ID`. */
export function addChangeMemoryCommands(memories: Command, { signal }: CommandEnvironment): void {
  addDataOptions(memories.command("update [id]"))
    .description("change fields of a memory; what it was before stays as a version")
    .option("--key <key>", keyHelp)
    .option("--text <text>", "its text (- reads standard input), which holds from now on unless you say since when")
    .option("--category <category>", "its category")
    .option("--importance <number>", "0 to 1", parseNumber)
    .option("--confidence <number>", "0 to 1", parseNumber)
    .option("--tag <tag...>", "all of its tags")
    .option("--no-tag", "it has no tags any more")
    .option("--slot <slot>", "what it is the value of")
    .option("--no-slot", "it is the value of nothing any more")
    .option("--static", "it never fades")
    .option("--no-static", "it fades")
    .option("--pin", "it stands in every context of its scope")
    .option("--no-pin", "it stands where it is recalled")
    .option("--valid-from <date>", "since when it holds", parseInstantOption)
    .option("--no-valid-from", "it has always held")
    .option("--valid-to <date>", "until when it held", parseInstantOption)
    .option("--no-valid-to", "it still holds")
    .option("--expires <date>", "when it is forgotten", parseInstantOption)
    .option("--no-expires", "it is kept")
    .addOption(
      new Option("--etag <etag>", "only if it is as you have read it. Default: as it is now").conflicts("allowMissing"),
    )
    .option("--allow-missing", "with --key: make it if there is none")
    .option("--request-id <key>", "idempotency key")
    .action(async (id: string | undefined, options: UpdateOptions) => {
      const which = namedMemory(id, options);
      const patch = await patchOf(options);
      if (Object.keys(patch).length === 0) throw nothingToChange();
      const memory = await withLoci(options, options.allowMissing === true ? "write" : "read", async (loci) => {
        const call = { signal, requestId: options.requestId };
        if (options.allowMissing === true) return loci.memories.update(which, patch, { allowMissing: true }, call);
        const etag = (options.etag as Etag | undefined) ?? (await loci.memories.get(which, { signal })).etag;
        return loci.memories.update(which, patch, { etag }, call);
      });
      if (options.json === true) printJson(memory);
      else {
        printMemory(memory);
        printWarnings(memory);
      }
    });

  addDataOptions(memories.command("restore <id>"))
    .description("bring back a memory as it was, also one that was forgotten")
    .argument("[version]", "as `history` shows it. Default: the one before", parseVersion)
    .action(async (id: string, wanted: number | undefined, options: DataOptions) => {
      const memory = await withLoci(options, "read", async (loci) => {
        const named = memoryId(id);
        const version = wanted ?? versionBefore(await loci.memories.versions(named, { signal }), id);
        return loci.memories.restore(named, version, { signal });
      });
      if (options.json === true) printJson(memory);
      else printMemory(memory);
    });
}

async function patchOf(options: UpdateOptions): Promise<MemoryPatch> {
  const { category, importance, confidence, tag, slot, validFrom, validTo, expires } = options;
  const patch: MemoryPatch = {
    text: options.text === undefined ? undefined : await readText(options.text),
    category,
    importance,
    confidence,
    tags: tag === false ? [] : tag,
    slot: slot === false ? null : slot,
    isStatic: options.static,
    isPinned: options.pin,
    validFrom: validFrom === false ? null : validFrom,
    validTo: validTo === false ? null : validTo,
    expiresAt: expires === false ? null : expires,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** The newest version before the current one that has a content. */
function versionBefore(versions: readonly Memory[], id: string): number {
  const before = versions.slice(0, -1).findLast(({ state }) => state !== "deleted");
  if (before !== undefined) return before.version;
  throw new LociError("VERSION_NOT_FOUND", {
    message: `The memory ${id} has no earlier version to go back to.`,
    field: "version",
    resource: id,
    advice: `See its versions: loci memories history ${id}`,
  });
}

/** A version given on the command line; anything else is a usage error. */
function parseVersion(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a whole number from 1, as `loci memories history` shows it.");
}

function nothingToChange(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "The command names nothing that is to be changed.",
    advice: 'Say what, such as --importance 0.9 or --text "…": loci memories update --help.',
  });
}
