import { accessSync, constants, existsSync, type Stats, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOfWriting, danglingLink, writingTrouble } from "@loci/loci";
import { fail, type Finding, ok, warn } from "./finding.ts";

const mebibyte = 1024 * 1024;
/** Less is too little for the log of the ledger and one rebuilt index. */
const leastFree = 200 * mebibyte;
const littleFree = 2 * 1024 * mebibyte;
const littleShare = 0.1;

/** Whether the directory is there and can be used, who may read it, and whether it has room. */
export async function directoryFindings(directory: string): Promise<readonly Finding[]> {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return [missing(directory)];
  if (!found.isDirectory())
    return [fail("directory", `${directory} is a file.`, "Move it away, or name another directory.")];
  const refused = refusedAccess(directory);
  const trouble = refused === "write" ? writingTrouble(codeOfWriting(directory)) : undefined;
  if (trouble !== undefined)
    return [fail("directory", `${directory} cannot be written: ${trouble.problem}.`, trouble.advice)];
  if (refused !== undefined)
    return [
      fail(
        "directory",
        `This user may not ${refused} ${directory}.`,
        "Run the command as the server's user, or give the directory to this one (chown -R).",
      ),
    ];
  return [
    ok("directory", `${directory} can be read and written.`),
    permissions(directory, found),
    await disk(directory),
  ];
}

function missing(directory: string): Finding {
  const dangling = danglingLink(directory);
  if (dangling !== undefined)
    return fail(
      "directory",
      `${dangling.link} is a link to ${dangling.target}, which is not there.`,
      "Mount the disk that it is on, or make that directory; or have the link lead elsewhere.",
    );
  let above = dirname(directory);
  while (!existsSync(above)) above = dirname(above);
  return refusedAccess(above) === undefined
    ? warn("directory", `${directory} is not there.`, "It is made when something is remembered or a server starts.")
    : fail(
        "directory",
        `${directory} is not there, and ${above} may not be written.`,
        "Make it, and give it to this user.",
      );
}

function refusedAccess(directory: string): string | undefined {
  for (const [wanted, mode] of [
    ["read", constants.R_OK | constants.X_OK],
    ["write", constants.W_OK],
  ] as const)
    try {
      accessSync(directory, mode);
    } catch {
      return wanted;
    }
  return undefined;
}

/** Files that hold what was remembered, or a key. */
const privateFiles = ["ledger.sqlite", "ledger.sqlite-wal", "lock.sqlite", "server.json"];

function permissions(directory: string, { uid }: Stats): Finding {
  const user = process.getuid?.();
  // Where files have no users they have no modes either.
  if (user === undefined)
    return ok("permissions", "This system keeps no permissions of files that could be looked at.");
  if (uid !== user && user !== 0)
    return warn(
      "permissions",
      `${directory} belongs to another user (${uid}).`,
      "Give it to the user the server runs as: chown -R.",
    );
  const open = privateFiles.filter((name) => {
    const mode = statSync(join(directory, name), { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) !== 0;
  });
  if (open.length === 0) return ok("permissions", "Ledger, lock and the server's note are their owner's alone.");
  return fail(
    "permissions",
    `Other users of this machine may read ${open.join(", ")}.`,
    `chmod 600 ${open.map((name) => join(directory, name)).join(" ")}`,
  );
}

async function disk(directory: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const [free, size] = [bavail * bsize, blocks * bsize];
  const ledger = statSync(join(directory, "ledger.sqlite"), { throwIfNoEntry: false })?.size ?? 0;
  const shown = `${inMebibytes(free)} of ${inMebibytes(size)} are free`;
  if (free < leastFree)
    return fail("disk", `${shown}.`, "Free some space: nothing can be written when it is full, and nothing is lost.");
  if (free < ledger)
    return warn(
      "disk",
      `${shown}; the ledger takes ${inMebibytes(ledger)}.`,
      "Make room: a backup takes as much as the ledger.",
    );
  if (free < littleFree || free / size < littleShare)
    return warn("disk", `${shown}.`, "Make room before it is full. Indexes that are built anew take their size again.");
  return ok("disk", `${shown}.`);
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte).toLocaleString("en-US")} MiB`;
}
