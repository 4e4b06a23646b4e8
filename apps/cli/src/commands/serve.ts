import { resolve } from "node:path";
import type { RunningServer } from "@loci/server";
import { type Command, InvalidArgumentError } from "commander";
import { type ListenAddress, parseListenAddress } from "./listen-address-option.ts";
import { parseNumber } from "./number-option.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

interface ServeOptions {
  readonly config?: string;
  readonly listen?: ListenAddress;
  readonly data?: string;
  readonly workers?: number;
  readonly stopWhenIdle?: number;
  readonly printConfig?: boolean;
  readonly json?: boolean;
}

/** `loci serve`: the gRPC server, until it is told to stop. What is said here wins over `LOCI_*`, and that over the file. */
export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("serve a data directory to other programs by gRPC")
    .option("--config <file>", "TOML file with the settings")
    .option("--listen <address>", "host:port; port 0 takes any free one (default 127.0.0.1:5624)", parseListenAddress)
    .option("--data <directory>", "data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .option("--workers <number>", "processes that tenants are spread over (default 1)", parseNumber)
    .option("--stop-when-idle <minutes>", "stop when nothing has called for so long (default: never)", parseMinutes)
    .option("--print-config", "print the settings with every default, and do not serve")
    .option("--json", "print errors, and the settings of --print-config, as JSON")
    .action(async (options: ServeOptions) => {
      const { configurationOf, loadSettings, printSettings, runServer, settingTables } = await import("@loci/server");
      const { listen, data, workers } = options;
      const settings = loadSettings({
        file: options.config,
        overrides: {
          ...(listen && { "listen.address": listen.address, "listen.port": listen.port }),
          ...(data === undefined ? {} : { data_directory: resolve(data) }),
          ...(workers === undefined ? {} : { workers }),
        },
      });
      const configuration = configurationOf(settings);
      // Loaded when it is configured: a server alone starts without it.
      const isAlone = configuration.browser === undefined && configuration.mcp === undefined;
      const { startBeside } = isAlone ? {} : await import("../serving/beside-server.ts");
      const beside =
        startBeside &&
        (async (server: RunningServer) => {
          const started = await startBeside(configuration, server, program.version() ?? "");
          if (started.browserUrl !== undefined) printLine(`Serving the memory browser on ${started.browserUrl}`);
          if (started.mcpUrl !== undefined) printLine(`Serving MCP on ${started.mcpUrl}`);
          return started;
        });
      if (options.printConfig !== true)
        await runServer(configuration, {
          keyFile: options.config,
          beside,
          onStarted: ({ address, dataDirectory }) => printLine(`Serving ${dataDirectory} on ${address}`),
          stopWhenIdleMilliseconds: options.stopWhenIdle === undefined ? undefined : options.stopWhenIdle * 60_000,
        });
      else if (options.json === true) printJson(settingTables(settings));
      else process.stdout.write(printSettings(settings));
    });
}

function parseMinutes(value: string): number {
  const minutes = parseNumber(value);
  if (minutes > 0) return minutes;
  throw new InvalidArgumentError("It must be more than 0.");
}
