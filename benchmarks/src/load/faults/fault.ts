import type { StruckServers } from "./struck-servers.ts";

/** Something that goes wrong while calls are made, and is over some seconds later. */
export interface Fault {
  readonly name: string;
  /** Whether it can happen to these servers. */
  readonly fits: (struck: StruckServers) => boolean;
  /** Resolves when it is over and everything runs again. @param seconds how long what has a length lasts */
  readonly strike: (struck: StruckServers, seconds: number) => Promise<void>;
}
