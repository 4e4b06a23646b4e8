import { createHash } from "node:crypto";

const stage = Buffer.alloc(62);

/**
 * The index file of a working copy that holds these files, so that `git status` finds nothing to say. Times and sizes are
 * left out: git compares the contents then.
 *
 * @param files paths in ASCII, and the ids of their blobs
 */
export function gitIndex(files: ReadonlyMap<string, string>): Buffer {
  const entries = [...files]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, id]) => entryOf(path, id));
  const head = Buffer.from("DIRC\0\0\0\u0002\0\0\0\0", "latin1");
  head.writeUInt32BE(entries.length, 8);
  const content = Buffer.concat([head, ...entries]);
  return Buffer.concat([content, createHash("sha1").update(content).digest()]);
}

function entryOf(path: string, id: string): Buffer {
  const fixed = Buffer.from(stage);
  // A plain file that anybody may read.
  fixed.writeUInt32BE(0o100644, 24);
  fixed.write(id, 40, "hex");
  fixed.writeUInt16BE(path.length, 60);
  const length = fixed.length + path.length;
  // Each entry ends in 1 to 8 zeros, so that the next begins at a multiple of 8.
  return Buffer.concat([fixed, Buffer.from(path, "latin1"), Buffer.alloc(8 - (length % 8))]);
}
