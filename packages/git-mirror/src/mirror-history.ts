import { blockLabel, type Instant } from "@loci/domain";
import { commitMessage, personName } from "./commit-words.ts";
import { blobOf, commitOf, type GitObject, treeOf } from "./git-objects.ts";

/** A version of a block, as the log has it. */
export interface MirroredChange {
  readonly label: string;
  readonly version: number;
  /** The block as TOML, or nothing when it was removed. */
  readonly toml: string | undefined;
  readonly at: Instant;
  readonly proposer: string;
  /** Default: the proposer. */
  readonly approver?: string | undefined;
  readonly reason?: string | undefined;
}

/** Where the mirror of an owner stands: all that the next commit needs to know. */
export interface MirrorState {
  /** The last commit. None: nothing is mirrored yet. */
  readonly commit?: string | undefined;
  /** The blob of each block by its label. */
  readonly blobs: ReadonlyMap<string, string>;
}

/** What a change added to the mirror. */
export interface MirrorStep {
  readonly state: MirrorState;
  readonly commit: string;
  readonly rootTree: string;
  readonly message: string;
  /** The blob of each file by its path: `blocks/LABEL.toml`, in the order of their labels. */
  readonly files: ReadonlyMap<string, string>;
  /** All objects of the commit that this change can have brought, the commit last. */
  readonly objects: readonly GitObject[];
}

export const emptyMirror: MirrorState = { blobs: new Map() };

/**
 * The commit that a change of a block is in its owner's mirror. The same changes in the same order give the same ids
 * everywhere, as git itself would make them.
 *
 * @throws LociError `INVALID_BLOCK` for a label that is none: it names a file
 */
export function mirrorChange(before: MirrorState, change: MirroredChange): MirrorStep {
  const label = blockLabel(change.label);
  const blobs = new Map(before.blobs);
  const blob = change.toml === undefined ? undefined : blobOf(change.toml);
  if (blob === undefined) blobs.delete(label);
  else blobs.set(label, blob.id);
  const trees = treesOf(blobs);
  const root = trees.at(-1) as GitObject;
  const message = commitMessage({ ...change, label, removed: blob === undefined });
  const seconds = Math.floor(change.at / 1000);
  const commit = commitOf({
    tree: root.id,
    parent: before.commit,
    author: { name: personName(change.proposer), seconds },
    committer: { name: personName(change.approver ?? change.proposer), seconds },
    message,
  });
  return {
    state: { commit: commit.id, blobs },
    commit: commit.id,
    rootTree: root.id,
    message,
    files: new Map([...blobs].toSorted(byLabel).map(([name, id]) => [`blocks/${name}.toml`, id])),
    objects: [...(blob === undefined ? [] : [blob]), ...trees, commit],
  };
}

/** The folder `blocks`, unless it is empty, and the root. Git has no empty folders. */
function treesOf(blobs: ReadonlyMap<string, string>): readonly GitObject[] {
  if (blobs.size === 0) return [treeOf([])];
  const folder = treeOf([...blobs].map(([label, id]) => ({ mode: "100644", name: `${label}.toml`, id })));
  return [folder, treeOf([{ mode: "40000", name: "blocks", id: folder.id }])];
}

function byLabel([left]: readonly [string, string], [right]: readonly [string, string]): number {
  return left < right ? -1 : 1;
}
