export { commitMessage, type DescribedChange, personName } from "./commit-words.ts";
export { type GitObject } from "./git-objects.ts";
export { type LooseObject, looseObject } from "./loose-object.ts";
export { emptyMirror, mirrorChange, type MirroredChange, type MirrorState, type MirrorStep } from "./mirror-history.ts";
