import type { ExactVectors } from "./exact-vectors.ts";
import type { IndexSetting, SecretSetting } from "./index-setting.ts";
import type { TextIndex } from "./text-index.ts";
import type { VectorStore } from "./vector-store.ts";

/** Both indexes of one place, while they are in use. */
export interface IndexStores {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  close(): Promise<void>;
}

/** What an adapter is given to open its indexes with. */
export interface IndexPlace {
  /** The data directory. An adapter writes to `directoryName` in it, and to files whose names begin with that. */
  readonly directory: string;
  /** The ledger that the indexes follow from, told from every other one. */
  readonly ledger: string;
  /** The vectors that the ledger keeps. */
  readonly exactVectors: ExactVectors;
  /** Told of damage that was found and of background work that failed. */
  readonly reportProblem: (problem: unknown) => void;
  /**
   * Finds words where the ledger is, for adapters that have vectors alone: in its database where servers share one, else by files in a
   * directory of that name.
   */
  readonly openWords: (directoryName: string) => Promise<Pick<IndexStores, "textIndex" | "close">>;
}

/** What an adapter is given to remove its indexes with. */
export interface IndexRemains {
  /** The data directory. */
  readonly directory: string;
  /** Removes what {@link IndexPlace.openWords} has made. */
  readonly removeWords: (directoryName: string) => Promise<void>;
}

/** `process`: gone with it. `directory`: in the data directory, to be had without any setting. `outside`: elsewhere. */
export type IndexPlacement = "process" | "directory" | "outside";

/**
 * A kind of index, declared once: from this everything is made that Loci says of it, such as the choices of `--index`, the
 * settings of a server and what `openLoci` takes. A declaration is loaded by every program, so it imports types alone; what it
 * takes to open the indexes is imported when they are opened.
 *
 * @typeParam Options what `open` takes: the settings, the secret, and what only programs in TypeScript say
 * @typeParam Secret the option that holds the secret
 */
export interface IndexAdapter<
  Name extends string = string,
  Place extends IndexPlacement = IndexPlacement,
  Options extends object = object,
  Secret extends string = string,
> {
  /** In commands, settings and the ledger: small letters, digits and `-`. */
  readonly name: Name;
  /** For people, where the name is not what they call it. */
  readonly title: string;
  readonly place: Place;
  /** The directory that holds its files, in the data directory. Default: it has none. */
  readonly directoryName?: string;
  /** Whether that directory has one of its own for every tenant, named by a hash. Default: no. */
  readonly hasTenantDirectories?: boolean;
  /** Which of the indexes each server has for itself, where servers share a ledger. `words`: its text is what `openWords` gives. */
  readonly ofEachServer: { readonly vectors: boolean; readonly text: boolean | "words" };
  /** What an erasure says of bytes that Loci cannot see. */
  readonly notErased: readonly string[];
  /** What it takes to get to one that is outside. It can be used, and moved to, once the secret is known. */
  readonly secret?: SecretSetting<Secret>;
  /** What else can be said of it in a server's configuration and in variables. */
  readonly settings: readonly IndexSetting[];
  /** Opens the indexes, again whenever they were closed or removed. */
  open(options: Options, place: IndexPlace): Promise<IndexStores>;
  /** Removes what they hold, wherever that is, while they are closed. */
  remove(options: Options, remains: IndexRemains): Promise<void>;
}
