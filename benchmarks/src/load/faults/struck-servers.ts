import type { LoadDatabase } from "../load-database.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ShardMoves } from "./shard-moves.ts";

/** What things go wrong with. */
export interface StruckServers {
  readonly servers: readonly ServerProcess[];
  readonly database: LoadDatabase | undefined;
  /** Given where tenants are moved between the shards of a server. */
  readonly moves: ShardMoves | undefined;
}
