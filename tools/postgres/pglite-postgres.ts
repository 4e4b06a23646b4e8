import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import manifest from "./package.json" with { type: "json" };
import type { RunningPostgres } from "./running-postgres.ts";

const kept = join(
  import.meta.dirname,
  `../../node_modules/.cache/loci/pglite-${manifest.devDependencies["@electric-sql/pglite"]}.tar`,
);

/**
 * Starts a PGlite, which is PostgreSQL 18 compiled to WebAssembly, in this process, behind a socket of its own on
 * 127.0.0.1. It takes one connection at a time (a pool's `max` has to be 1), everybody is a superuser, advisory locks are
 * always granted and nothing can be cancelled.
 */
export async function startPglite(): Promise<RunningPostgres> {
  const database = await open();
  // One at a time, but one that is being closed still counts. All of them share one session.
  const server = new PGLiteSocketServer({ db: database, host: "127.0.0.1", port: 0, maxConnections: 3 });
  await server.start();
  return {
    connectionString: `postgresql://postgres@${server.getServerConn()}/postgres`,
    kind: "pglite",
    stop: async () => {
      await server.stop();
      await database.close();
    },
  };
}

/** A database made anew takes seconds, one that was kept about one. */
async function open(): Promise<PGlite> {
  if (existsSync(kept)) return PGlite.create({ extensions: { vector }, loadDataDir: new Blob([readFileSync(kept)]) });
  const database = await PGlite.create({ extensions: { vector } });
  const dump = await database.dumpDataDir("none");
  mkdirSync(dirname(kept), { recursive: true });
  // Another process may be doing the same.
  const draft = `${kept}.${process.pid}`;
  writeFileSync(draft, new Uint8Array(await dump.arrayBuffer()));
  renameSync(draft, kept);
  return database;
}
