import { setTimeout as sleep } from "node:timers/promises";
import { formatScope, type Loci, LociError, type MemoryChange } from "@loci/loci";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { resourceUri, scopeUri } from "./resource-uri.ts";

/** Between two tries to watch, in milliseconds: from the first on twice as long each time. */
const firstPause = 500;
const longestPause = 60_000;

/**
 * Tells of the memories and scopes that change, for as long as somebody listens. What is told is of one caller's scopes, and read with that
 * caller's credential: each has one of these.
 */
export class WatchedChanges implements ServerEventBus {
  readonly #environment: Pick<ToolEnvironment, "connection" | "scopes">;
  readonly #refused: (() => void) | undefined;
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  #watch: AbortController | undefined;

  /**
   * @param refused is called when the credential is not let in any more, so that nobody waits for what will not be told. Default: it is tried
   *   again, as another one may be found where the configuration says
   */
  constructor(environment: Pick<ToolEnvironment, "connection" | "scopes">, refused?: () => void) {
    this.#environment = environment;
    this.#refused = refused;
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    // One that is there twice is told twice.
    const own = (event: ServerEvent): void => listener(event);
    this.#listeners.add(own);
    if (this.#watch === undefined) {
      this.#watch = new AbortController();
      void this.#follow(this.#watch.signal);
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      this.#watch?.abort(new LociError("CANCELLED", { message: "Nobody listens any more." }));
      this.#watch = undefined;
    };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let cursor = "now";
    let pause = firstPause;
    while (!signal.aborted) {
      try {
        await this.#environment.connection.run(async (loci) => {
          for await (const reached of this.#told(loci, cursor, signal)) {
            cursor = reached;
            pause = firstPause;
          }
        });
      } catch (error) {
        if (this.#refused !== undefined && LociError.is(error) && error.code === "UNAUTHENTICATED")
          return this.#refused();
        if (LociError.is(error) && error.reason === "CURSOR_EXPIRED") {
          // What was missed is not known: all of it may be other than before.
          cursor = "now";
          this.#tellAllScopes();
        }
      }
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      pause = Math.min(longestPause, pause * 2);
    }
  }

  /** Tells each resource once for what changes together, and gives where the watch has come to. */
  async *#told(loci: Loci, since: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const changed = new Set<string>();
    for await (const change of loci.memories.watch({ scopes: this.#environment.scopes, since }, { signal })) {
      for (const uri of this.#changedBy(change)) changed.add(uri);
      if (change.type !== "reached") continue;
      for (const uri of changed) this.publish({ kind: "resource_updated", uri });
      changed.clear();
      yield change.cursor;
    }
  }

  #changedBy(change: MemoryChange): readonly string[] {
    if (change.type === "written")
      return [resourceUri("memory", change.memory.id), scopeUri(formatScope(change.memory.scope))];
    if (change.type === "reached") return [];
    // Of one that is gone nobody says where it was.
    return [resourceUri("memory", change.id), ...this.#environment.scopes.map((scope) => scopeUri(scope))];
  }

  #tellAllScopes(): void {
    for (const scope of this.#environment.scopes) this.publish({ kind: "resource_updated", uri: scopeUri(scope) });
  }
}
