import { createInterface } from "node:readline";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addConnectionOptions } from "../config/connection-options.ts";
import { locateServer, type LocateServerOptions } from "../config/locate-server.ts";
import { printLine, printNote } from "../output/terminal.ts";
import { parseNumber } from "./number-option.ts";

interface BrowseOptions extends Omit<LocateServerOptions, "serverIdle"> {
  readonly port?: number;
  readonly open?: boolean;
  readonly readOnly?: boolean;
}

/** Of a server that is started for this, in minutes. */
const serverIdle = 30;

/** `loci browse`: the memory browser, a page on this machine, until it is told to stop. */
export function addBrowseCommand(program: Command, environment: CommandEnvironment): void {
  addConnectionOptions(program.command("browse"))
    .description("look at the memories in a browser: a page on this machine, through the server of the data directory")
    .option("--port <number>", "of the page on 127.0.0.1 (default: any free one)", parsePort)
    .option("--open", "open the page in the browser")
    .option("--read-only", "only look: whatever would change something is refused")
    .action(async (options: BrowseOptions) => {
      const { openInBrowser, startGateway } = await import("@loci/browser");
      await using gateway = await startGateway({
        locateServer: await locateServer({ ...options, serverIdle }),
        port: options.port,
        readOnly: options.readOnly,
        onUsedLink: () => printNote("loci: a link that was used before was opened again. Was that you?"),
      });
      const offerLink = async (): Promise<void> => {
        const link = gateway.createLink();
        if (options.open === true && (await openInBrowser(link)))
          printLine(`Opened the memory browser on port ${gateway.port}.`);
        else printLine(link);
      };
      await offerLink();
      printNote("The link opens the memory browser once, within a minute. Enter gives another one, Ctrl-C ends it.");
      using lines = createInterface({ input: process.stdin });
      lines.on("line", () => void offerLink());
      await new Promise<void>((resolve) => {
        if (environment.signal.aborted) resolve();
        environment.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    });
}

function parsePort(value: string): number {
  const port = parseNumber(value);
  if (Number.isSafeInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a whole number up to 65535.");
}
