import { setTimeout as pause } from "node:timers/promises";
import type { LoadDatabase } from "../load-database.ts";
import type { Fault } from "./fault.ts";

/** The database ends at once and recovers from its log. */
export const crashDatabase: Fault = ofDatabase("database crashed", (database) => database.restart("crash"));

/** The database is restarted, as for a new version of it. */
export const restartDatabase: Fault = ofDatabase("database restarted", (database) => database.restart("stop"));

/** Every connection of the servers is cut, as by a proxy or a failover. */
export const cutConnections: Fault = ofDatabase("connections cut", async (database) => {
  await database.execute(cut);
});

/** Servers get two connections between them for a while: the rest are refused, as where too many others are connected. */
export const takeConnections: Fault = ofDatabase("out of connections", async (database, seconds) => {
  await database.execute(`ALTER ROLE loci_service CONNECTION LIMIT 2; ${cut}`);
  await pause(seconds * 1_000);
  await database.execute("ALTER ROLE loci_service CONNECTION LIMIT -1");
});

/** Statements are ended by the database when they have taken a hundredth of a second. */
export const timeOutStatements: Fault = ofDatabase("statements timed out", async (database, seconds) => {
  const end = performance.now() + seconds * 1_000;
  // Loci sets a time of its own for each transaction, which wins over the server's: so they are ended from outside.
  while (performance.now() < end) {
    await database.execute(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE usename = 'loci_service' AND state = 'active' AND clock_timestamp() - query_start > interval '10 milliseconds'`);
    await pause(20);
  }
});

/** Somebody holds a lock on the ledger's tables, as a migration or a backup may. */
export const lockTables: Fault = ofDatabase("tables locked", async (database, seconds) => {
  await database.execute(`DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'loci' ORDER BY 1 LOOP
        EXECUTE 'LOCK TABLE ' || name || ' IN ACCESS EXCLUSIVE MODE';
      END LOOP;
      PERFORM pg_sleep(${seconds});
    END $$`);
});

const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'loci_service'`;

function ofDatabase(name: string, strike: (database: LoadDatabase, seconds: number) => Promise<void>): Fault {
  return {
    name,
    fits: ({ database }) => database !== undefined,
    strike: async ({ database }, seconds) => {
      if (database !== undefined) await strike(database, seconds);
    },
  };
}
