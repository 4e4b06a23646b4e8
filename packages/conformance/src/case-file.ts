/** One thing that everything which fulfils a contract does. */
export interface ConformanceCase<Method extends string, Context> {
  /** What it is about, and must call. Absent: it goes through several of the methods that its file covers. */
  readonly method?: Method;
  readonly name: string;
  /** Rejects when it is not so. */
  readonly run: (context: Context) => Promise<void>;
}

/** The cases of one file, and the methods of the contract that they cover. */
export interface CaseFile<Method extends string, Context> {
  readonly covers: readonly Method[];
  readonly cases: readonly ConformanceCase<Method, Context>[];
}

/** Cases that fail, by the name they are registered under, each with the reason. They are still run, and must fail. */
export type KnownFailures = Readonly<Record<string, string>>;
