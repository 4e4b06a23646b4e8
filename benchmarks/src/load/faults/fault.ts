import type { LoadedServers } from "../loaded-servers.ts";

/** Something that goes wrong while calls are made, and is over some seconds later. */
export interface Fault {
  readonly name: string;
  /** Whether it can happen to these servers. */
  readonly fits: (servers: LoadedServers) => boolean;
  /** Resolves when it is over and everything runs again. @param seconds how long what has a length lasts */
  readonly strike: (servers: LoadedServers, seconds: number) => Promise<void>;
}

/** One of them, by chance. */
export function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
