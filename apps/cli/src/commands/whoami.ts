import type { Caller } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addConnectionOptions } from "../config/connection-options.ts";
import { type DataOptions, withLoci } from "../config/open-data-directory.ts";
import { forTerminal } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

/** `loci whoami`: whom Loci takes the caller for, and who answers. */
export function addWhoamiCommand(program: Command, { signal }: CommandEnvironment): void {
  addConnectionOptions(program.command("whoami"))
    .description("say whom Loci takes you for: tenant, roles and scopes; and which version answers")
    .option("--json", "print JSON for machines")
    .action(async (options: Omit<DataOptions, "scope">) => {
      const [caller, place] = await withLoci(
        { ...options, scope: [] },
        "read",
        async (loci, where) => [await loci.caller({ signal }), where] as const,
      );
      if (options.json === true) printJson(caller);
      else printCaller(caller, place === "server" ? "a server" : "this process");
    });
}

function printCaller({ tenant, subject, roles, scopePatterns, version, services }: Caller, answering: string): void {
  const rows = [
    ["tenant", tenant],
    ["name", subject],
    ["roles", roles.join(", ")],
    ["scopes", scopePatterns.map((pattern) => (pattern === "*" ? "* (every scope)" : pattern)).join(", ")],
    ["answered by", `${answering}, Loci ${version}`],
    ["services", services.map((service) => service.replace(/^.*\./u, "")).join(", ")],
  ] as const;
  for (const [name, value] of rows) printLine(`${name.padEnd(12)} ${forTerminal(value)}`);
}
