import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { formatScope, parseScopes, type ScopeInput } from "@loci/loci";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineTransport } from "./connection/line-transport.ts";
import { type LocateServer, LociConnection } from "./connection/loci-connection.ts";
import { makeMcpServer } from "./mcp-server.ts";
import { EditorSubscriptions } from "./resources/editor-subscriptions.ts";
import { RecentReceipts } from "./resources/recent-receipts.ts";
import { WatchedChanges } from "./resources/watched-changes.ts";
import type { ToolEnvironment } from "./tools/tool-environment.ts";

/** How long an editor that asks nothing more, or a script, may wait for what it has asked, in milliseconds. */
const longestEnd = 10_000;

export interface ServeMcpOptions {
  /** At least one. The model may read and write these and no other; it writes to the first unless it names another. */
  readonly scopes: readonly ScopeInput[];
  readonly locateServer: LocateServer;
  /** The options by which commands of the person's work on the same data, such as `--data /srv/loci`. Default: none are needed. */
  readonly commandOptions?: string | undefined;
  /** Shown to the editor. */
  readonly version: string;
  /** Ends the serving. */
  readonly signal: AbortSignal;
}

/**
 * Serves the tools over standard input and output until the editor closes them. What it has asked by then is answered first.
 *
 * @throws LociError `SCOPE_REQUIRED`, `INVALID_SCOPE`, `INVALID_IDENTIFIER`
 */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { scopes, locateServer, commandOptions, version, signal } = options;
  const [first, ...rest] = parseScopes(scopes);
  await using connection = new LociConnection(locateServer);
  const environment: ToolEnvironment = {
    connection,
    scopes: [formatScope(first), ...rest.map((scope) => formatScope(scope))],
    // This process serves one editor, and whoever reads its standard input is that one.
    principal: "editor",
    secret: randomBytes(32),
    commandOptions,
    receipts: new RecentReceipts(),
  };
  const gone = new AbortController();
  const end = AbortSignal.any([signal, gone.signal]);
  process.stdout.once("error", () => gone.abort());
  const serving = serveLines(environment, version, { input: process.stdin, output: process.stdout });
  connection.prepare();
  // The transport itself does not notice that nothing more comes.
  await finished(process.stdin, { writable: false, signal: end }).catch(() => undefined);
  await serving.answered(longestEnd, end);
  await serving[Symbol.asyncDispose]();
}

/** One editor that is served. */
export interface ServedLines extends AsyncDisposable {
  /** Waits for the answers to what was asked, but no longer than so many milliseconds. */
  answered(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Serves one editor over two streams. */
export function serveLines(
  environment: ToolEnvironment,
  version: string,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): ServedLines {
  const subscriptions = new EditorSubscriptions(new WatchedChanges(environment));
  const transport = new LineTransport(input, output, (message) => subscriptions.note(message));
  const serving = serveStdio(
    ({ era }) => {
      const server = makeMcpServer(environment, version, true);
      subscriptions.serve(server, era);
      return server;
    },
    { transport },
  );
  return {
    answered: (milliseconds, signal) => transport.requests.answered(milliseconds, signal),
    [Symbol.asyncDispose]: async () => {
      subscriptions[Symbol.dispose]();
      await serving.close();
    },
  };
}
