import { LociError } from "@loci/domain";
import { findListeningServer, locateDataDirectory } from "@loci/served-directory";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { encryptionSettings } from "../config/encryption-settings.ts";
import { printJson } from "../output/print-json.ts";
import { progressLine } from "../output/progress-line.ts";
import { printLine, printNote } from "../output/terminal.ts";
import { parseNumber } from "./number-option.ts";

interface ShardsOptions {
  readonly data?: string;
  readonly json?: boolean;
}

const phases = {
  copy: "copying, while it is served",
  "bring over": "bringing over what was written meanwhile",
  switch: "switching: its calls wait",
  remove: "removing what it left",
} as const;

/** `loci shards list|where|move|divide`: the parts of a data directory that several workers serve. */
export function addShardsCommands(program: Command, environment: CommandEnvironment): void {
  const shards = program.command("shards").description("the parts of a data directory that several workers serve");

  addShardsOptions(shards.command("list", { isDefault: true }))
    .description("say how a data directory is divided, and which tenants are elsewhere than their names say")
    .action(async ({ data, json }: ShardsOptions) => {
      const { readDivision } = await import("@loci/loci");
      const directory = locateDataDirectory(data);
      const division = readDivision(directory);
      if (division === undefined) {
        if (json === true) printJson({ dataDirectory: directory, shards: 1, placed: {}, leftovers: [] });
        else printLine(`${directory} is one whole.`);
        return;
      }
      const { shards: count, placed, leftovers } = division;
      if (json === true)
        printJson({ dataDirectory: directory, shards: count, placed: Object.fromEntries(placed), leftovers });
      else {
        printLine(`${directory} is divided into ${count} shards.`);
        for (const [tenant, shard] of placed) printLine(`${tenant} was placed in shard ${shard}.`);
        for (const { tenant, shard } of leftovers)
          printLine(`What ${tenant} left in shard ${shard} is still to be removed.`);
      }
    });

  addShardsOptions(shards.command("where <tenant>"))
    .description("say which shard a tenant is in, or would be if it had anything")
    .action(async (tenant: string, { data, json }: ShardsOptions) => {
      const shard = await shardOf(locateDataDirectory(data), tenant);
      if (json === true) printJson({ tenant, shard });
      else printLine(String(shard));
    });

  addShardsOptions(shards.command("divide <number>"))
    .description(
      "divide a directory that nobody serves into so many shards, for as many workers; 1 makes it whole again",
    )
    .action(async (given: string, { data, json }: ShardsOptions) => {
      const { divideAnew } = await import("@loci/loci");
      const dataDirectory = locateDataDirectory(data);
      using progress = progressLine("tenants", { enabled: json !== true });
      using removing = progressLine("tenants removed where they were", { enabled: json !== true });
      const divided = await divideAnew({
        dataDirectory,
        shards: parseNumber(given),
        encryption: await encryptionSettings(),
        signal: environment.signal,
        onProgress: ({ doing, done, total }) => (doing === "copying" ? progress : removing).update(done, total),
      });
      if (json === true) printJson({ dataDirectory, ...divided });
      else {
        const what = divided.shards === 1 ? "is one whole" : `is divided into ${divided.shards} shards`;
        printLine(`${dataDirectory} ${what}. ${divided.moved} tenants were moved.`);
        if (divided.moved > 0) printLine("Their indexes are built when they are opened the next time.");
      }
    });

  addShardsOptions(shards.command("move <tenant>"))
    .description("move a tenant to another shard while the server serves it: its calls wait for a moment")
    .requiredOption("--to <shard>", "the number of the shard", parseNumber)
    .action(async (tenant: string, { data, json, to }: ShardsOptions & { to: number }) => {
      const server = await findListeningServer(data);
      if (server?.operatorSocket === undefined) throw notServed(locateDataDirectory(data));
      const isEmpty = !(await hasStored(locateDataDirectory(data), tenant));
      const { askOperator } = await import("@loci/server");
      const answer = await askOperator(
        server.operatorSocket,
        { type: "move", tenant, to },
        {
          signal: environment.signal,
          onProgress: ({ phase }) => json !== true && printNote(`loci: ${phases[phase]}`),
        },
      );
      if (answer.type !== "moved") return;
      const { moved } = answer;
      if (json === true) printJson({ ...moved, isEmpty });
      else if (moved.from === moved.to) printLine(`${tenant} is in shard ${to} already.`);
      else printLine(`${tenant} is in shard ${to} now. Its calls waited ${moved.heldMilliseconds} ms.`);
      if (json !== true && isEmpty)
        printNote(
          `loci: ${tenant} has stored nothing yet. What it stores goes there; if that is not its name, move it back.`,
        );
    });
}

/** Which shard a tenant is in, or would be. */
async function shardOf(directory: string, tenant: string): Promise<number> {
  const { readDivision, tenantId, tenantShards } = await import("@loci/loci");
  const division = readDivision(directory);
  return division === undefined ? 0 : tenantShards(division)(tenantId(tenant));
}

/** Whether a tenant has ever stored anything, so that its name is not a slip. */
async function hasStored(directory: string, tenant: string): Promise<boolean> {
  const { shardDirectory, tenantsInFile } = await import("@loci/loci");
  const names: readonly string[] = tenantsInFile(shardDirectory(directory, await shardOf(directory, tenant)), {
    withLog: true,
  });
  return names.includes(tenant);
}

function addShardsOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .option("--json", "print JSON for machines");
}

function notServed(directory: string): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `No server with several workers serves ${directory}.`,
    resource: directory,
    advice: "Start it with `loci serve --workers N`, and move the tenant while it runs.",
  });
}
