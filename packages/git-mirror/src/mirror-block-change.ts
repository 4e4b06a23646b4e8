import { type BlockChange, checkBlockChange } from "./block-change.ts";
import { commitMessage } from "./commit-message.ts";
import { type GitObject, gitObject } from "./git-object.ts";
import { personLine } from "./person-line.ts";
import { treeObject } from "./tree-object.ts";

/** Where the mirror of one owner's blocks stands: all that the next change needs to know. */
export interface MirrorState {
  /** The id of the last commit; null before the first. */
  readonly head: string | null;
  /** The id of each file's blob, by label. */
  readonly blobs: ReadonlyMap<string, string>;
}

/** What one change adds to a mirror. */
export interface MirrorStep {
  /** Where the mirror stands now. */
  readonly state: MirrorState;
  /** The id of the new commit. */
  readonly commit: string;
  readonly rootTree: string;
  readonly message: string;
  /** What has to be in the repository, each after what it names. Some may be there already: same content, same id. */
  readonly objects: readonly GitObject[];
}

/** A mirror without a commit. */
export const emptyMirror: MirrorState = { head: null, blobs: new Map() };

/**
 * The commit of one change of an owner's blocks, on top of those before. The same changes in the same order give the same
 * ids everywhere, so a commit id names a version also where no git is installed.
 *
 * @throws LociError `INVALID_IDENTIFIER`, `INVALID_NUMBER` or `INVALID_INSTANT` for a change that no log has
 */
export function mirrorBlockChange(state: MirrorState, change: BlockChange): MirrorStep {
  checkBlockChange(change);
  const objects: GitObject[] = [];
  const keep = (object: GitObject): string => {
    objects.push(object);
    return object.id;
  };

  const blobs = new Map(state.blobs);
  if (change.toml === null) blobs.delete(change.label);
  else blobs.set(change.label, keep(gitObject("blob", Buffer.from(change.toml, "utf8"))));
  const files = [...blobs].map(([label, id]) => ({ mode: "100644" as const, name: `${label}.toml`, id }));
  // Git knows no empty folders: without a file, the root is empty.
  const folders = files.length === 0 ? [] : [{ mode: "40000" as const, name: "blocks", id: keep(treeObject(files)) }];
  const rootTree = keep(treeObject(folders));

  const message = commitMessage(change);
  const lines = [
    `tree ${rootTree}`,
    ...(state.head === null ? [] : [`parent ${state.head}`]),
    `author ${personLine(change.proposer, change.at)}`,
    `committer ${personLine(change.approver ?? change.proposer, change.at)}`,
    "",
    message,
  ];
  const commit = keep(gitObject("commit", Buffer.from(lines.join("\n"), "utf8")));
  return { state: { head: commit, blobs }, commit, rootTree, message, objects };
}
