/** Something that whoever stored a memory should know. The memory is stored all the same. */
export interface MemoryWarning {
  /** `HOLDS_SECRET`: the text, the slot or a tag holds a secret of a class that is refused from models and imports. */
  readonly reason: "HOLDS_SECRET";
  /** Names the class of the secret, never the secret. */
  readonly message: string;
  readonly advice: string;
}
