import { createHash } from "node:crypto";

/** The kinds of objects a mirror consists of. */
export type GitObjectType = "blob" | "tree" | "commit";

/** One object as git keeps it. */
export interface GitObject {
  readonly type: GitObjectType;
  /** SHA-1 over header and content: 40 hexadecimal digits. */
  readonly id: string;
  /** What stands behind the header. */
  readonly content: Uint8Array;
}

/**
 * The object of `content`, with the id git gives it.
 *
 * SHA-1 names objects here and vouches for nothing: who may change a block is decided before, by the ledger.
 */
export function gitObject(type: GitObjectType, content: Uint8Array): GitObject {
  return { type, id: createHash("sha1").update(gitHeader(type, content)).update(content).digest("hex"), content };
}

/** The bytes that git compresses into the file of a loose object. */
export function looseObject(object: GitObject): Uint8Array {
  return Buffer.concat([gitHeader(object.type, object.content), object.content]);
}

/** Where a loose object stands below `objects`: the first two digits are its folder. */
export function looseObjectPath(id: string): string {
  return `${id.slice(0, 2)}/${id.slice(2)}`;
}

function gitHeader(type: GitObjectType, content: Uint8Array): Buffer {
  return Buffer.from(`${type} ${content.length}\0`, "latin1");
}
