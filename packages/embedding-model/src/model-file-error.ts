/** The model file is missing, cut short, changed, or of another version. Reinstalling the package repairs it. */
export class ModelFileError extends Error {
  override readonly name: string = "ModelFileError";
  readonly code: "MODEL_FILE_INVALID" = "MODEL_FILE_INVALID";
}
