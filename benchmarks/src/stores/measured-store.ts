import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Ref } from "@loci/domain";
import type { IndexChoice } from "@loci/loci";
import type { IndexStores } from "@loci/store";
import { openEmbeddedStore } from "@loci/store-embedded";
import { numberOf } from "../data/clustered-changes.ts";
import type { ClusteredData } from "../data/clustered-loci.ts";
import { measuredKind, type StoreKind } from "./measured-kinds.ts";

/** Where a store keeps its rows: a folder, and what leads to its server if it has one. */
export interface StorePlace {
  readonly directory: string;
  readonly server?: Readonly<Record<string, string>> | undefined;
}

/** A store as its adapter opens it. */
export async function openMeasuredStore(
  kind: StoreKind,
  { directory, server = {} }: StorePlace,
  data: ClusteredData,
): Promise<IndexStores> {
  const { adapter, options } = measuredKind(kind);
  const exactVectors = async ({ rows }: { readonly rows: readonly { readonly ref: Ref }[] }) =>
    new Map(rows.map(({ ref }): [Ref, readonly Float32Array[]] => [ref, [data.file.read(numberOf(ref), 1)]]));
  mkdirSync(directory, { recursive: true });
  const place = { directory, ledger: "measured", exactVectors, reportProblem: () => undefined };
  const openWords = (name: string): Promise<Pick<IndexStores, "textIndex" | "close">> =>
    openEmbeddedStore({ directory: join(directory, name), exactVectors });
  return adapter.open({ ...server, ...options }, { ...place, openWords });
}

/** The same store as Loci opens it, in a place of its own. */
export function indexChoiceOf(kind: StoreKind, { server }: StorePlace): IndexChoice {
  const { adapter, options, moved } = measuredKind(kind);
  if (server === undefined) return adapter.name as IndexChoice;
  return { kind: adapter.name, ...server, ...options, ...moved } as IndexChoice;
}

/** Where it keeps its files. */
export function placeOf(kind: StoreKind, folder: string): StorePlace {
  return { directory: join(folder, `store-${kind}`) };
}
