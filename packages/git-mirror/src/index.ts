export type { BlockChange } from "./block-change.ts";
export { type GitObject, gitObject, type GitObjectType, looseObject, looseObjectPath } from "./git-object.ts";
export { emptyMirror, type MirrorState, type MirrorStep, mirrorBlockChange } from "./mirror-block-change.ts";
