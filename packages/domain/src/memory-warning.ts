/** Something that whoever stored a memory should know. The memory is stored all the same. */
export interface MemoryWarning {
  /**
   * `HOLDS_SECRET`: the text, the slot or a tag holds a secret of a class that is refused from models and imports.
   * `ALREADY_EXPIRED`: its `expiresAt` had passed when it was stored, so that nothing shows it.
   * `TIME_IN_SECONDS`: a time of it is in the first weeks of 1970, and would be in our days if it were seconds.
   */
  readonly reason: "HOLDS_SECRET" | "ALREADY_EXPIRED" | "TIME_IN_SECONDS";
  /** Of a secret it names the class, never the secret. */
  readonly message: string;
  readonly advice: string;
}
