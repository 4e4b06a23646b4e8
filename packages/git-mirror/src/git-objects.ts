import { createHash } from "node:crypto";

/** An object of a git repository: what it is named by, and what it holds. */
export interface GitObject {
  readonly type: "blob" | "tree" | "commit";
  /** SHA-1 of its header and body: 40 small hexadecimal digits. */
  readonly id: string;
  readonly body: Buffer;
}

/** One line of a tree. */
export interface TreeEntry {
  readonly mode: "100644" | "40000";
  /** Without a slash. */
  readonly name: string;
  readonly id: string;
}

/** The header of an object, as it stands before its body when git hashes or stores it. */
export function objectHeader({ type, body }: Pick<GitObject, "type" | "body">): Buffer {
  return Buffer.from(`${type} ${body.length}\0`, "utf8");
}

/** A file's content. */
export function blobOf(text: string): GitObject {
  return objectOf("blob", Buffer.from(text, "utf8"));
}

/** A folder. Git sorts by bytes, folders as if a slash stood behind their names. */
export function treeOf(entries: readonly TreeEntry[]): GitObject {
  const sorted = entries
    .map((entry) => ({ entry, key: Buffer.from(entry.mode === "40000" ? `${entry.name}/` : entry.name, "utf8") }))
    .toSorted((left, right) => Buffer.compare(left.key, right.key));
  const parts = sorted.flatMap(({ entry }) => [
    Buffer.from(`${entry.mode} ${entry.name}\0`, "utf8"),
    Buffer.from(entry.id, "hex"),
  ]);
  return objectOf("tree", Buffer.concat(parts));
}

/** Who made a commit, and when, as the line of a commit shows it. */
export interface CommitPerson {
  /** Without control characters and angle brackets: a safe name. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly seconds: number;
}

export interface CommitParts {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly author: CommitPerson;
  readonly committer: CommitPerson;
  readonly message: string;
}

/** The address of everybody: people of a tenant have names, not addresses. */
const address = "blocks@loci.invalid";

export function commitOf({ tree, parent, author, committer, message }: CommitParts): GitObject {
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${personLine(author)}`,
    `committer ${personLine(committer)}`,
    "",
    message,
  ];
  return objectOf("commit", Buffer.from(lines.join("\n"), "utf8"));
}

function personLine({ name, seconds }: CommitPerson): string {
  return `${name} <${address}> ${seconds} +0000`;
}

function objectOf(type: GitObject["type"], body: Buffer): GitObject {
  // Git's name for an object, not a protection of anything.
  const id = createHash("sha1").update(objectHeader({ type, body })).update(body).digest("hex");
  return { type, id, body };
}
