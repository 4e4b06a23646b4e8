import { deflateSync } from "node:zlib";
import { type GitObject, objectHeader } from "./git-objects.ts";

/** A file of a git repository. */
export interface LooseObject {
  /** Below the folder `objects`: two digits, a slash, 38 digits. */
  readonly path: string;
  readonly content: Buffer;
}

/** An object as git keeps one that is in no pack. */
export function looseObject(object: GitObject): LooseObject {
  return {
    path: `${object.id.slice(0, 2)}/${object.id.slice(2)}`,
    content: deflateSync(Buffer.concat([objectHeader(object), object.body])),
  };
}
