import { LociError } from "@loci/domain";
import type { Filter, RecallRequest, RecallRotation } from "@loci/loci";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseInstantOption } from "./instant-option.ts";
import { parseNumber } from "./number-option.ts";
import { zoneOfComputer } from "./zone-of-computer.ts";

/** What every command that recalls can be told of it. */
export interface RecallOptions {
  readonly where?: Filter;
  readonly validAt?: number;
  readonly knownAt?: number;
  readonly owner?: string;
  readonly session?: string;
  readonly rotation?: RecallRotation["key"];
  readonly tool?: readonly string[];
  readonly relevanceFloor?: number;
  readonly zone?: string;
  readonly fallback?: "none" | "recent";
}

export function addRecallOptions(command: Command): Command {
  return command
    .option(
      "--where <filter>",
      'only these, such as {"field":"category","operator":"equals","value":"fact"}',
      parseFilter,
    )
    .option("--valid-at <date>", "only what was true then", parseInstantOption)
    .option("--known-at <date>", "only what had been recorded by then, as it was then", parseInstantOption)
    .option("--tool <name...>", "tools in use: procedures with a tag that they name are found")
    .option("--relevance-floor <number>", "how close a memory must come, 0 to 1 (default the embedder's)", parseNumber)
    .option("--zone <name>", "whose days are meant, such as Europe/Berlin (default: this computer's)")
    .addOption(
      new Option("--fallback <what>", "what is shown when nothing answers: none, or the most recent memories")
        .choices(["none", "recent"])
        .default("none"),
    )
    .option("--owner <name>", "whose session asks: what its other sessions were just shown gives way")
    .option("--session <id>", "the session that asks, with --owner")
    .option("--rotation <key>", "what gives way: owner (other sessions), session (this one) or off (default owner)");
}

export function readRecallOptions({
  where,
  validAt,
  knownAt,
  tool,
  relevanceFloor,
  zone,
  fallback,
  ...rotation
}: RecallOptions): Pick<
  RecallRequest,
  "where" | "validAt" | "knownAt" | "rotation" | "tools" | "relevanceFloor" | "timeZone" | "fallback"
> {
  const timeZone = zone ?? zoneOfComputer();
  return { where, validAt, knownAt, tools: tool, relevanceFloor, timeZone, fallback, rotation: rotationOf(rotation) };
}

function rotationOf({ owner, session, rotation }: RecallOptions): RecallRotation | undefined {
  if (owner === undefined && session === undefined && rotation === undefined) return undefined;
  if (owner !== undefined && session !== undefined) return { owner, session, key: rotation };
  throw new LociError("INVALID_REQUEST", {
    message: `${owner === undefined ? "--owner" : "--session"} is missing.`,
    field: "rotation",
    advice: "Pass --owner and --session together.",
  });
}

/** The engine checks what is in it. */
function parseFilter(value: string): Filter {
  try {
    return JSON.parse(value) as Filter;
  } catch {
    throw new InvalidArgumentError("It must be a filter as JSON.");
  }
}
