export { loadModel, loadModelSync, modelFile, parseModel } from "./load-model.ts";
export type { ModelTable } from "./load-model.ts";
export { ModelFileError } from "./model-file-error.ts";
export { MAX_INPUT_TOKENS, StaticModel } from "./static-model.ts";
export { WordPiece } from "./word-piece.ts";
