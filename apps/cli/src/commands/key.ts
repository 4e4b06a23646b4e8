import { type Command, Option } from "commander";
import { LociError, roles } from "@loci/domain";
import type { Instant, Role } from "@loci/loci";
import { printJson } from "../output/print-json.ts";
import { parseInstantOption } from "./instant-option.ts";
import { printLine } from "../output/terminal.ts";

interface CreateKeyOptions {
  readonly tenant: string;
  readonly scopePattern: readonly string[];
  readonly role: readonly Role[];
  readonly expires?: Instant;
  readonly id?: string;
  readonly json?: boolean;
}

/** `loci key`: an API key, and what the server has to be told of it. */
export function addKeyCommands(program: Command): void {
  const keys = program.command("key").description("make API keys for a server, and keys for encryption");
  addCreateCommand(keys);
  keys
    .command("encryption")
    .description("make a key for the encryption of text at rest and print it, once, as a line of a file of keys")
    .option("--id <id>", "its id: letters, digits, _ and - (default: the day)")
    .action(async ({ id }: { readonly id?: string }) => {
      const { newEncryptionKey } = await import("@loci/loci");
      printLine(newEncryptionKey(id));
    });
  keys
    .command("token-key")
    .description(
      "print the token_key of a key that has none in its entry yet: with it the key's delegated tokens are taken",
    )
    .addOption(apiKeyOption())
    .action(async (options: { readonly key?: string }) => {
      const key = givenApiKey(options.key);
      const { idOfApiKey, tokenKeyOf } = await import("@loci/server");
      if (idOfApiKey(key) === undefined)
        throw new LociError("INVALID_CONFIGURATION", {
          message: "--key is not an API key.",
          field: "key",
          advice: "Pass the whole key as it was issued: loci_ID_SECRET.",
        });
      printLine(`token_key = "${tokenKeyOf(key)}"`);
    });
}

/** The API key that a command works with, never one that it sends anywhere. */
export function apiKeyOption(): Option {
  return new Option("--key <key>", "the API key; other users of this machine see it, so prefer the variable").env(
    "LOCI_API_KEY",
  );
}

/** The key of {@link apiKeyOption}. @throws LociError `INVALID_REQUEST` where there is none */
export function givenApiKey(key: string | undefined): string {
  if (key !== undefined && key !== "") return key;
  throw new LociError("INVALID_REQUEST", {
    message: "There is no API key to work with.",
    field: "--key",
    advice: "Put it into the variable LOCI_API_KEY, or give --key, which other users of this machine see.",
  });
}

function addCreateCommand(keys: Command): void {
  keys
    .command("create")
    .description("make an API key and print it, once, with its entry for the server's configuration")
    .requiredOption("--tenant <tenant>", "whose data the key opens")
    .requiredOption("--scope-pattern <pattern...>", "scopes it may touch: user:alice, user:* or *")
    .addOption(new Option("--role <role...>", "what it may do").choices(roles).makeOptionMandatory())
    .option("--expires <date>", "from then on it is refused, ISO 8601 (default: never)", parseInstantOption)
    .option("--id <name>", "name of the key in the logs: a-z, 0-9 and - (default: random)")
    .option("--json", "print JSON for machines")
    .action(async ({ tenant, scopePattern, role, expires, id, json }: CreateKeyOptions) => {
      checkExpiry(expires);
      const { createApiKey, printApiKey } = await import("@loci/server");
      const { key, entry } = createApiKey({ id, tenant, roles: role, scopes: scopePattern, expiresAt: expires });
      const configuration = printApiKey(entry);
      if (json === true) printJson({ key, entry, configuration });
      else
        printLine(
          `The key, which is shown only now and kept nowhere:\n\n${key}\n\n` +
            `For the configuration file of the server, which takes new keys in by itself:\n\n${configuration}`,
        );
    });
}

function checkExpiry(expires: Instant | undefined): void {
  if (expires === undefined || expires > Date.now()) return;
  throw new LociError("INVALID_INSTANT", {
    message: `--expires is ${new Date(expires).toISOString()}, which is over: the key would be refused at once.`,
    field: "expires",
    advice: "Give a date to come, or leave it out.",
  });
}
