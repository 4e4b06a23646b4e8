import type { JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import type { WatchedChanges } from "./watched-changes.ts";

/**
 * What one editor has subscribed to, over standard input: by `subscriptions/listen`, or by `resources/subscribe` of 2025. Changes are watched while it has
 * subscribed to any resource, and no longer: a server that is only watched would never be idle.
 */
export class EditorSubscriptions implements Disposable {
  readonly #changes: WatchedChanges;
  /** Ids of the open `subscriptions/listen`. The library says what each of them hears. */
  readonly #listening = new Set<string | number>();
  /** By clients of 2025. */
  readonly #uris = new Set<string>();
  #server: McpServer | undefined;
  #stop: (() => void) | undefined;

  constructor(changes: WatchedChanges) {
    this.#changes = changes;
  }

  /** The server that speaks with the editor from now on. */
  serve(server: McpServer, era: "legacy" | "modern"): void {
    this.#server = server;
    if (era === "modern") return;
    server.server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
      this.#uris.add(uri);
      this.#adjust();
      return {};
    });
    server.server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
      this.#uris.delete(uri);
      this.#adjust();
      return {};
    });
  }

  /** Takes note of what the editor sends: the library answers subscriptions itself, and tells nobody. */
  note(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "subscriptions/listen" && "id" in message && namesResources(message.params))
      this.#listening.add(message.id);
    else if (message.method === "notifications/cancelled") {
      const { requestId } = { ...message.params } as { readonly requestId?: string | number };
      if (requestId === undefined || !this.#listening.delete(requestId)) return;
    } else return;
    this.#adjust();
  }

  [Symbol.dispose](): void {
    this.#listening.clear();
    this.#uris.clear();
    this.#adjust();
  }

  #adjust(): void {
    const isNeeded = this.#listening.size > 0 || this.#uris.size > 0;
    if (isNeeded)
      this.#stop ??= this.#changes.subscribe((event) => {
        if (event.kind === "resource_updated") this.#tell(event.uri);
      });
    else {
      this.#stop?.();
      this.#stop = undefined;
    }
  }

  #tell(uri: string): void {
    if (this.#listening.size > 0 || this.#uris.has(uri))
      // An editor that has gone is not told.
      this.#server?.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }
}

function namesResources(params: unknown): boolean {
  const { notifications } = { ...(params as object | undefined) } as {
    readonly notifications?: { readonly resourceSubscriptions?: unknown };
  };
  const named = notifications?.resourceSubscriptions;
  return Array.isArray(named) && named.length > 0;
}
