/** Something that whoever stored a memory should know. The memory is stored all the same. */
export interface MemoryWarning {
  /**
   * `HOLDS_SECRET`: the text, the slot or a tag holds a secret of a class that is refused from models and imports.
   * `ALREADY_EXPIRED`: its `expiresAt` had passed when it was stored, so that nothing shows it.
   */
  readonly reason: "HOLDS_SECRET" | "ALREADY_EXPIRED";
  /** Of a secret it names the class, never the secret. */
  readonly message: string;
  readonly advice: string;
}
