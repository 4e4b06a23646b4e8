import { type IndexAdapter, indexAdapters } from "@loci/loci";

type Name = (typeof indexAdapters)[number]["name"];

/** A kind of index, or a kind with options of its own behind its name: `pgvector-hnsw`. */
export type StoreKind = Name | `${Name}-${string}`;

/** What it takes to measure a kind, beyond what its adapter says. */
interface Particulars {
  /** The server that it needs, which is started for it. An emulator's times say nothing about the service. */
  readonly server?: "postgres" | "emulator";
  /** Whose own client it is compared with. */
  readonly client?: "lancedb" | "postgres";
  /** Where it is put when a Loci moves into it, beside the rows that were measured before. */
  readonly moved?: object;
  /** Measured again with these options, by what is added to its name. */
  readonly again?: Readonly<Record<string, object>>;
}

/** The one place here that names kinds. What is not named has no server and no client to be compared with. */
const particulars: Readonly<Partial<Record<Name, Particulars>>> = {
  lancedb: { client: "lancedb" },
  pgvector: {
    server: "postgres",
    client: "postgres",
    moved: { schema: "moved" },
    // Above so many selected rows pgvector's graph is asked: always. By default it is above 20,000.
    again: { hnsw: { index: "hnsw", exactRows: 1 } },
  },
  pinecone: { server: "emulator", moved: { prefix: "moved" } },
};

export interface MeasuredKind extends Omit<Particulars, "again"> {
  readonly kind: StoreKind;
  readonly adapter: IndexAdapter;
  readonly options: object;
  /** Whether there is no like query of the database's own. */
  readonly isVariant: boolean;
}

/** Every kind that comes with Loci, and what of them is measured in two ways. */
export const measuredKinds: readonly MeasuredKind[] = indexAdapters.flatMap((adapter) => {
  const { again = {}, ...known } = particulars[adapter.name] ?? {};
  return [
    { ...known, kind: adapter.name, adapter, options: {}, isVariant: false },
    ...Object.entries(again).map(([variant, options]): MeasuredKind => {
      const kind: StoreKind = `${adapter.name}-${variant}`;
      return { ...known, kind, adapter, options, isVariant: true };
    }),
  ];
});

export const storeKinds: readonly StoreKind[] = measuredKinds.map(({ kind }) => kind);

export function measuredKind(kind: StoreKind): MeasuredKind {
  const found = measuredKinds.find((known) => known.kind === kind);
  if (found === undefined) throw new RangeError(`there is no store ${kind}`);
  return found;
}
