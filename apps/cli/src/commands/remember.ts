import type { Command } from "commander";
import type { Origin, ProvenanceKind } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { printMemory, printWarnings } from "../output/print-memories.ts";
import { parseNumber } from "./number-option.ts";
import { readText } from "./text-option.ts";

interface RememberOptions extends DataOptions {
  readonly key?: string;
  readonly category?: string;
  readonly importance?: number;
  readonly tag?: readonly string[];
  readonly slot?: string;
  readonly origin?: Origin;
  readonly source?: string;
  readonly sourceKind: ProvenanceKind;
  readonly static?: boolean;
  readonly pin?: boolean;
  readonly repeat?: "refresh" | "add";
  readonly requestId?: string;
}

/** `loci remember TEXT`: stores one memory as given. `-` reads the text from standard input. */
export function addRememberCommand(program: Command, environment: CommandEnvironment): void {
  addDataOptions(program.command("remember <text>"))
    .description("store one memory as given (- reads standard input)")
    .option("--key <key>", "what you call it, unlike any other memory of the scope")
    .option("--category <category>", "fact, decision, preference, entity, procedure, note, learning, or your own")
    .option("--importance <number>", "0 to 1", parseNumber)
    .option("--tag <tag...>", "tags")
    .option("--slot <slot>", 'what it is the value of, such as "deploy day"')
    .option("--origin <origin>", "manual, capture, correction, post_mortem or import")
    .option("--source <id>", "what it cites, such as ADR-007")
    .option("--source-kind <kind>", "adr, commit, conversation, incident or document", "document")
    .option("--static", "it never fades")
    .option("--pin", "it stands in every context of its scope (at most 50 a scope)")
    .option("--repeat <how>", "what becomes of a text that is known: refresh (default) or add")
    .option("--request-id <key>", "idempotency key")
    .action(async (text: string, options: RememberOptions) => {
      const words = await readText(text);
      const memory = await withLoci(options, "write", (loci) =>
        loci.memories.remember(
          {
            text: words,
            scope: writeScope(options),
            key: options.key,
            category: options.category,
            importance: options.importance,
            tags: options.tag,
            slot: options.slot,
            origin: options.origin,
            isStatic: options.static,
            isPinned: options.pin,
            repeat: options.repeat,
            provenance:
              options.source === undefined ? undefined : { sourceId: options.source, kind: options.sourceKind },
          },
          { signal: environment.signal, requestId: options.requestId },
        ),
      );
      if (options.json === true) printJson(memory);
      else {
        printMemory(memory);
        printWarnings(memory);
      }
    });
}
