import { type GitObject, gitObject } from "./git-object.ts";

/** One line of a tree: the name must be ASCII without `/`. */
export interface TreeEntry {
  readonly mode: "100644" | "40000";
  readonly name: string;
  /** The object's id: 40 hexadecimal digits. */
  readonly id: string;
}

/**
 * The tree of these entries, in the order of git: by the bytes of the name. A folder sorts as if its name ended in `/`, which
 * makes no difference here, because no tree of a mirror holds both folders and files.
 */
export function treeObject(entries: readonly TreeEntry[]): GitObject {
  const ordered = entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return gitObject(
    "tree",
    Buffer.concat(
      ordered.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")]),
    ),
  );
}
