import { type Command, Option } from "commander";
import { roles } from "@loci/domain";
import type { Role } from "@loci/loci";
import { printJson } from "../output/print-json.ts";
import { printResult } from "../output/terminal.ts";
import { parseDurationOption } from "./duration-option.ts";
import { apiKeyOption, givenApiKey } from "./key.ts";

interface TokenOptions {
  readonly key?: string;
  readonly scope: readonly string[];
  readonly role: readonly Role[];
  readonly for: number;
  readonly json?: boolean;
}

/** `loci token`: what may do a part of what an API key may, for a short time. No server is asked. */
export function addTokenCommand(program: Command): void {
  program
    .command("token")
    .description("make a delegated token: it may do a part of what an API key may, for a short time")
    .addOption(apiKeyOption())
    .requiredOption("--scope <scope...>", "what it may touch: user:ann, user:* or *; the key must cover it")
    .addOption(
      new Option("--role <role...>", "what it may do; the key must have it").choices(roles).makeOptionMandatory(),
    )
    .option("--for <time>", "how long it is valid, at most 24h", parseDurationOption, 15 * 60)
    .option("--json", "print JSON for machines")
    .addHelpText(
      "after",
      "\nWithout --for it is valid for 15m. It is revoked with its key. What counts words is `loci tokens`.",
    )
    .action(async ({ key, scope, role, for: expiresInSeconds, json }: TokenOptions) => {
      const { delegatedToken } = await import("@loci/client");
      const now = Date.now();
      const token = delegatedToken({ apiKey: givenApiKey(key), scopes: scope, roles: role, expiresInSeconds, now });
      if (json === true) printJson({ token, expiresAt: (Math.floor(now / 1_000) + expiresInSeconds) * 1_000 });
      else printResult(token);
    });
}
