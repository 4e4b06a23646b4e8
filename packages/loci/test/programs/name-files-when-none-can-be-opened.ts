/**
 * Reads and writes each kind of file that stands beside ledger and indexes while no more files can be opened. Tells what each said,
 * and what differs once some can be opened again, as one line of JSON. Run with a low `ulimit -n`.
 */
import { join } from "node:path";
import { LociError } from "@loci/domain";
import { emptyMirror, mirrorBlockChange } from "@loci/git-mirror";
import { announceServer } from "../../src/announce-server.ts";
import { checkBackup, makeEmptyDirectory } from "../../src/backup.ts";
import { embeddingCacheFile } from "../../src/embedding-cache-file.ts";
import { checkMirror } from "../../src/git-mirrors/check-mirror.ts";
import { MirrorFolder } from "../../src/git-mirrors/mirror-folder.ts";
import { readNote } from "../../src/git-mirrors/mirror-note.ts";
import { historyNote } from "../../src/indexes/history-note.ts";
import { serverIdOf } from "../../src/indexes/index-owners.ts";
import { writeDivision } from "../../src/shards/write-division.ts";
import { useUp } from "./use-up-files.ts";

const [directory = ""] = process.argv.slice(2);
const division = { shards: 2, placed: new Map<string, number>(), leftovers: [] };
const note = historyNote({ kind: "lancedb" }, directory, false);
if (note === undefined) throw new Error("Indexes in a directory have a note.");
const cache = embeddingCacheFile(directory, "one");
const mirror = join(directory, "mirror");

const uses: Readonly<Record<string, () => unknown>> = {
  "note read": () => note.read(),
  "note written": () => note.write("a note"),
  "rows looked for": () => note.holdsRows(),
  "server id": () => serverIdOf(directory),
  "cache read": () => cache.read(),
  "cache written": () => cache.write(Buffer.from("cached")),
  division: () => writeDivision(directory, division),
  announcement: () => announceServer(directory, { address: "127.0.0.1:1", pid: process.pid, tls: false }),
  "mirror opened": () => MirrorFolder.open(mirror, "user:alice"),
  "mirror read": () => readNote(mirror),
  "mirror checked": () => checkMirror(mirror, undefined),
  "backup checked": () => checkBackup(directory),
  "backup begun": () => makeEmptyDirectory(directory, /^/),
};

async function said(use: () => unknown): Promise<string> {
  try {
    await use();
    return "nothing";
  } catch (error) {
    return LociError.is(error) ? `${error.reason} ${error.message} ${error.advice ?? ""}` : `raw ${String(error)}`;
  }
}

await makeEmptyDirectory(join(directory, "index-lancedb"));
await note.write("a note");
const id = serverIdOf(directory);
await cache.write(Buffer.from("cached"));
const folder = await MirrorFolder.open(mirror, "user:alice");
const change = {
  label: "human",
  version: 1,
  toml: "x = 1\n",
  at: 0,
  proposer: "alice",
  approver: null,
  reason: "none",
};
const { commit: commitId } = mirrorBlockChange(emptyMirror, change);
await folder.apply([{ change, commitId, ref: "x", sequence: 1 }]);

const release = useUp(0);
const answers: Record<string, string> = {};
for (const [name, use] of Object.entries(uses)) answers[name] = await said(use);
release();
const stayed = {
  note: (await note.read()) === "a note",
  id: serverIdOf(directory) === id,
  mirror: (await readNote(mirror))?.head === commitId,
  cache: Buffer.from((await cache.read()) ?? []).toString() === "cached",
};
process.stdout.write(JSON.stringify({ answers, stayed }));
