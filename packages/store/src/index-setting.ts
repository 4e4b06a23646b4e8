/** What is true of every setting of an index. */
interface NamedSetting {
  /** The field of the adapter's options that it is given in. */
  readonly option: string;
  /** Its path in a server's configuration: `index.schema`. The variable follows from it: `LOCI_INDEX_SCHEMA`. */
  readonly path: string;
  /** What it is for, in a sentence. */
  readonly about: string;
  /** Who reads it. Default: servers, from their file or the variable. `both`: commands too, from the variable. */
  readonly readBy?: "commands" | "both";
}

/** A password or key. A server is told the file or the variable that holds it; commands read the variable of its path. */
export interface SecretSetting<Option extends string = string> {
  readonly option: Option;
  readonly path: string;
  /** What it is, in a sentence: `the key`. */
  readonly called: string;
  /** Which one it is, where that is described: `the key`. */
  readonly about: string;
  /** Whose it is, in errors. */
  readonly of: string;
  /** What it looks like. */
  readonly form: string;
}

export interface TextSetting extends NamedSetting {
  readonly type: "text";
  /** What to write there. */
  readonly advice: string;
}

export interface ChoiceSetting extends NamedSetting {
  readonly type: "choice";
  readonly choices: readonly string[];
}

export interface WholeNumberSetting extends NamedSetting {
  readonly type: "number";
  readonly least: number;
  readonly most: number;
}

/** One setting of an index. What is not said is left to the adapter, which has the default. */
export type IndexSetting = TextSetting | ChoiceSetting | WholeNumberSetting;
