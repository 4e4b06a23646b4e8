import { execFile, spawn } from "node:child_process";
import { lstat, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LociError, throwIfAborted } from "@loci/domain";
import { gitEnvironment } from "../git-environment.ts";
import { labelOfFile } from "./read-block-folder.ts";

/** What a commit did to a block. */
export interface CommittedBlock {
  readonly label: string;
  /** `null`: it was removed. */
  readonly toml: string | null;
  readonly commitId: string;
  readonly author: string;
  readonly committer: string;
  /** Of the author, in ISO 8601. */
  readonly at: string;
  /** The first line of its message. */
  readonly subject: string;
}

const run = promisify(execFile);
const commitId = /^[0-9a-f]{40}$/;
const mostCommits = 10_000;
const mostBytes = 64 * 1024 * 1024;
const maxBlobBytes = 1024 * 1024;
const timeLimit = 60_000;
/** Between the fields of a commit, and before a commit: no line of a log holds them unescaped by accident. */
const [fieldMark, commitMark] = ["\u001f", "\u001e"];

/**
 * What the commits of a folder did to `blocks/LABEL.toml`, oldest first. Read by the git program from the objects alone: none
 * of the repository's configuration, hooks, filters or attributes is looked at.
 *
 * @returns `undefined` for a folder that is no repository, or has no commit
 * @throws LociError `INVALID_REQUEST` when git is not installed, cannot read it, or there are more than 10,000 commits
 */
export async function readGitHistory(
  folder: string,
  signal?: AbortSignal,
): Promise<readonly CommittedBlock[] | undefined> {
  const git = join(folder, ".git");
  const objects = join(git, "objects");
  // Links, and objects borrowed from elsewhere, would lead out of the folder.
  if (!(await isOwnFolder(git)) || !(await isOwnFolder(objects))) return undefined;
  for (const name of ["alternates", "http-alternates"])
    if ((await lstat(join(objects, "info", name)).catch(() => undefined)) !== undefined) throw borrowed(name);
  const head = await headOf(git);
  if (head === undefined) return undefined;
  throwIfAborted(signal);
  const empty = await mkdtemp(join(tmpdir(), "loci-git-"));
  try {
    const reader = new GitReader(empty, objects, signal);
    await reader.open();
    const changes = await reader.changes(head);
    const texts = await reader.texts(changes.flatMap(({ blob }) => (blob === undefined ? [] : [blob])));
    return changes.flatMap(({ blob, ...change }): readonly CommittedBlock[] => {
      if (blob === undefined) return [{ ...change, toml: null }];
      const toml = texts.get(blob);
      return toml === undefined ? [] : [{ ...change, toml }];
    });
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

type Change = Omit<CommittedBlock, "toml"> & { readonly blob: string | undefined };

/** Reads objects of a repository through an empty one, which has no configuration. */
class GitReader {
  readonly #directory: string;
  readonly #signal: AbortSignal | undefined;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(directory: string, objects: string, signal: AbortSignal | undefined) {
    this.#directory = directory;
    this.#signal = signal;
    this.#environment = {
      ...gitEnvironment,
      GIT_DIR: directory,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
      GIT_NO_REPLACE_OBJECTS: "1",
    };
  }

  async open(): Promise<void> {
    await this.#git(["init", "--quiet", "--bare", "--template=", this.#directory]);
  }

  async changes(head: string): Promise<readonly Change[]> {
    const fields = ["%H", "%an", "%cn", "%aI", "%s"].join(fieldMark);
    const output = await this.#git([
      "log",
      "--reverse",
      "--topo-order",
      "--raw",
      "--root",
      "--no-abbrev",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      "--no-show-signature",
      `--max-count=${mostCommits + 1}`,
      `--format=${commitMark}${fields}${fieldMark}`,
      head,
      "--",
      "blocks",
    ]);
    const commits = output.split(commitMark).slice(1);
    if (commits.length > mostCommits)
      throw new LociError("INVALID_REQUEST", {
        message: `The repository has more than ${mostCommits} commits of blocks.`,
        advice: "Remove its .git to take over the newest versions alone.",
      });
    return commits.flatMap(changesOf);
  }

  /** Texts by the ids of their blobs. Those that are too large or no UTF-8 are left out. */
  async texts(blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    const wanted = [...new Set(blobs)];
    if (wanted.length === 0) return texts;
    const output = await this.#batch(wanted);
    for (let place = 0; place < output.length;) {
      const end = output.indexOf(0x0a, place);
      const [id = "", type, size] = output.subarray(place, end).toString("latin1").split(" ");
      place = end + 1;
      if (type !== "blob") continue;
      const bytes = Number(size);
      if (bytes <= maxBlobBytes) texts.set(id, output.subarray(place, place + bytes).toString("utf8"));
      place += bytes + 1;
    }
    return texts;
  }

  async #git(words: readonly string[]): Promise<string> {
    try {
      const options = { env: this.#environment, maxBuffer: mostBytes, timeout: timeLimit, signal: this.#signal };
      return (await run("git", words, options)).stdout;
    } catch (cause) {
      throwIfAborted(this.#signal);
      throw gitFailed(cause);
    }
  }

  async #batch(ids: readonly string[]): Promise<Buffer> {
    const child = spawn("git", ["cat-file", "--batch", "--buffer"], {
      env: this.#environment,
      stdio: ["pipe", "pipe", "ignore"],
      timeout: timeLimit,
      signal: this.#signal,
    });
    const closed = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    // A call that is over ends the program while its answer is still being read.
    closed.catch(() => undefined);
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${ids.join("\n")}\n`);
    try {
      const parts: Buffer[] = [];
      let bytes = 0;
      for await (const part of child.stdout as AsyncIterable<Buffer>) {
        bytes += part.length;
        if (bytes > mostBytes) child.kill();
        else parts.push(part);
      }
      if ((await closed) !== 0 || bytes > mostBytes) throw new Error("git cat-file was ended");
      return Buffer.concat(parts);
    } catch (cause) {
      throwIfAborted(this.#signal);
      throw gitFailed(cause);
    }
  }
}

function changesOf(commit: string): readonly Change[] {
  const [id = "", author = "", committer = "", at = "", subject = "", raw = ""] = commit.split(fieldMark);
  return raw.split("\n").flatMap((line) => {
    // :000000 100644 0000… 1111… A	blocks/human.toml
    const [words = "", path = ""] = line.split("\t");
    const [, mode, , blob = ""] = words.split(" ");
    const label = path.startsWith("blocks/") ? labelOfFile(path.slice("blocks/".length)) : undefined;
    if (label === undefined || (mode !== "100644" && mode !== "100755" && mode !== "000000")) return [];
    const isRemoved = mode === "000000";
    return [{ label, blob: isRemoved ? undefined : blob, commitId: id, author, committer, at, subject }];
  });
}

async function isOwnFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The commit that a repository stands at, by its own files. Links are not followed. */
async function headOf(git: string): Promise<string | undefined> {
  const text = async (path: string): Promise<string> => {
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() === true && found.size <= maxBlobBytes ? readFile(path, "latin1") : "";
  };
  const head = (await text(join(git, "HEAD"))).trim();
  if (commitId.test(head)) return head;
  const branch = /^ref: (refs\/heads\/[\w./-]{1,200})$/.exec(head)?.[1];
  if (branch === undefined || branch.includes("..")) return undefined;
  const loose = (await isReachedWithoutLinks(git, branch)) ? (await text(join(git, branch))).trim() : "";
  if (commitId.test(loose)) return loose;
  for (const line of (await text(join(git, "packed-refs"))).split("\n"))
    if (line.slice(41) === branch && commitId.test(line.slice(0, 40))) return line.slice(0, 40);
  return undefined;
}

/** Whether no folder on the way to a file is a link. */
async function isReachedWithoutLinks(from: string, path: string): Promise<boolean> {
  let folder = from;
  for (const name of path.split("/").slice(0, -1)) {
    folder = join(folder, name);
    if (!(await isOwnFolder(folder))) return false;
  }
  return true;
}

function borrowed(name: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `The repository borrows objects of another one: .git/objects/info/${name}.`,
    resource: name,
    advice: "Clone it without --shared, or remove its .git to take over the newest versions alone.",
  });
}

function gitFailed(cause: unknown): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "The git program could not read the history of the folder.",
    advice: "Install git, or remove the folder's .git to take over the newest versions alone.",
    cause,
  });
}
