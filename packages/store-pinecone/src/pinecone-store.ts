import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  CallSignal,
  type CallOptions,
  type EmbeddingSpace,
  embeddingSpaceId,
  filterOperators,
  LociError,
  throwIfAborted,
} from "@loci/domain";
import {
  type CollectionId,
  OpenCollections,
  type VectorCollection,
  type VectorStore,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { IndexModel } from "@pinecone-database/pinecone";
import { PineconeCollection } from "./pinecone-collection.ts";
import { PineconeConnection, type PineconeConnectionOptions } from "./pinecone-connection.ts";

export interface PineconeStoreOptions extends PineconeConnectionOptions {
  /** Begins the names of all indexes made here: 1 to 12 of `a-z`, `0-9` and `-`, beginning with a letter. Default `loci`. */
  readonly prefix?: string | undefined;
  /** Who the indexes belong to: another owner's of the same project are others. Default: nobody in particular. */
  readonly owner?: string | undefined;
  /** Where new indexes are made. Default `aws`, `us-east-1`. */
  readonly cloud?: "aws" | "gcp" | "azure" | undefined;
  readonly region?: string | undefined;
  /** Milliseconds that an index may take to be ready once it is made, or to be gone once it is removed. Default 120,000. */
  readonly maxIndexWait?: number | undefined;
}

const capabilities: VectorStoreCapabilities = {
  similarity: "approximate",
  filterOperators,
  visibility: "eventual",
  durable: true,
  maxDimensions: 20_000,
  maxLimit: 10_000,
};

const defaultPrefix = "loci";
const pollMilliseconds = 500;
const defaultIndexWait = 120_000;
/** The name that gives an index the calls for vectors; any other makes one of documents. */
const vectorField = "_values";
const spaceTag = "loci_space";
const ownerTag = "loci_owner";

/**
 * Opens vector collections on Pinecone: one serverless index each, made when it is missing, with a namespace for each
 * tenant. Nothing is asked of the service yet.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function openPineconeStore(options: PineconeStoreOptions): VectorStore {
  const { apiKey, prefix = defaultPrefix } = options;
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid("apiKey", "must be printable ASCII without spaces");
  if (!/^[a-z][a-z0-9-]{0,11}$/.test(prefix)) throw invalid("prefix", "must be 1 to 12 of a-z, 0-9 and -");
  return new PineconeVectorStore(new PineconeConnection(options), { ...options, prefix });
}

/** Removes every index that was made under this prefix for this owner. @throws LociError as the store does */
export async function removePineconeStore(
  options: Pick<PineconeStoreOptions, "owner" | "prefix" | "maxIndexWait"> & PineconeConnectionOptions,
  call?: CallOptions,
): Promise<void> {
  using running = new CallSignal(call);
  const connection = new PineconeConnection(options);
  const listed = await connection.run(() => connection.client.indexes.list(), running.signal);
  const isOwn = ({ name, tags }: IndexModel): boolean =>
    name.startsWith(`${options.prefix ?? defaultPrefix}-`) && tags?.[ownerTag] === ownerTagOf(options.owner);
  for (const index of listed?.result.indexes ?? [])
    if (isOwn(index)) await removeIndex(connection, index.name, options, running.signal);
}

async function removeIndex(
  connection: PineconeConnection,
  name: string,
  { maxIndexWait = defaultIndexWait }: Pick<PineconeStoreOptions, "maxIndexWait">,
  signal: AbortSignal,
): Promise<void> {
  await connection.run(() => connection.client.indexes.delete(name), signal);
  // The name is free again only when the index is gone.
  await describeUntil(connection, name, isGone, maxIndexWait, signal);
}

async function describe(
  connection: PineconeConnection,
  name: string,
  signal: AbortSignal,
): Promise<IndexModel | undefined> {
  return (await connection.run(() => connection.client.indexes.describe(name), signal))?.result;
}

/**
 * Asks for an index until it is as wanted.
 *
 * @throws LociError `STORE_UNAVAILABLE` when that takes longer than `maxWait` milliseconds; what `signal` was aborted with
 */
async function describeUntil<Wanted extends IndexModel | undefined>(
  connection: PineconeConnection,
  name: string,
  isWanted: (model: IndexModel | undefined) => model is Wanted,
  maxWait: number,
  signal: AbortSignal,
): Promise<Wanted> {
  const end = performance.now() + maxWait;
  for (;;) {
    const model = await describe(connection, name, signal);
    if (isWanted(model)) return model;
    if (performance.now() + pollMilliseconds > end)
      throw new LociError("STORE_UNAVAILABLE", {
        message: `The Pinecone index ${name} is ${model === undefined ? "missing" : model.status.state} still after ${maxWait} ms.`,
        resource: name,
        advice: "Look at the index in Pinecone's console, then try again.",
      });
    await setTimeout(pollMilliseconds, undefined, { signal }).catch(() => throwIfAborted(signal));
  }
}

function isReady(model: IndexModel | undefined): model is IndexModel {
  return model?.status.ready === true;
}

function isGone(model: IndexModel | undefined): model is undefined {
  return model === undefined;
}

class PineconeVectorStore implements VectorStore {
  readonly name = "pinecone";
  readonly capabilities = capabilities;
  readonly #connection: PineconeConnection;
  readonly #options: PineconeStoreOptions & { readonly prefix: string };
  readonly #collections = new OpenCollections<PineconeCollection>(capabilities);

  constructor(connection: PineconeConnection, options: PineconeStoreOptions & { readonly prefix: string }) {
    this.#connection = connection;
    this.#options = options;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    return this.#collections.open(id, space, options, (known, call) => known ?? this.#collection(id, space, call));
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    await this.#collections.drop(id, options, (_, { signal }) =>
      removeIndex(this.#connection, this.#indexName(id), this.#options, signal),
    );
  }

  async close(): Promise<void> {
    await this.#collections.close();
  }

  async #collection(id: CollectionId, space: EmbeddingSpace, { signal }: CallSignal): Promise<PineconeCollection> {
    const { host, tags } = await this.#findOrMake(this.#indexName(id), space, signal);
    // The space says how many dimensions there are.
    if (tags?.[spaceTag] !== spaceTagOf(space)) throw otherSpace(id);
    const index = this.#connection.client.index({ host });
    return new PineconeCollection(this.#connection, index, { ...space }, capabilities);
  }

  /** Names of collections may be longer, and hold more, than names of indexes. */
  #indexName(id: CollectionId): string {
    const { prefix, owner = "" } = this.#options;
    // No name of a collection holds a line break.
    return `${prefix}-${createHash("sha256").update(`${id}\n${owner}`).digest("hex").slice(0, 32)}`;
  }

  async #findOrMake(name: string, space: EmbeddingSpace, signal: AbortSignal): Promise<IndexModel> {
    const { cloud = "aws", region = "us-east-1", maxIndexWait = defaultIndexWait } = this.#options;
    if (isGone(await describe(this.#connection, name, signal)))
      await this.#connection.run(
        () =>
          this.#connection.client.indexes.create({
            name,
            schema: {
              fields: { [vectorField]: { type: "dense_vector", dimension: space.dimensions, metric: "cosine" } },
            },
            deployment: { deploymentType: "managed", cloud, region },
            tags: { [spaceTag]: spaceTagOf(space), [ownerTag]: ownerTagOf(this.#options.owner) },
            // Two servers may begin at the same time.
            suppressConflicts: true,
          }),
        signal,
      );
    return describeUntil(this.#connection, name, isReady, maxIndexWait, signal);
  }
}

function ownerTagOf(owner = ""): string {
  return createHash("sha256").update(owner).digest("hex");
}

/** Tags hold few characters, and not those of models' names. */
function spaceTagOf(space: EmbeddingSpace): string {
  return createHash("sha256").update(embeddingSpaceId(space)).digest("hex");
}

function otherSpace(id: CollectionId): LociError {
  return new LociError("EMBEDDING_SPACE_MISMATCH", {
    message: `The Pinecone index of the collection ${id} was made for another embedding model, or not by Loci.`,
    resource: id,
    advice: "Open it with the model it was made with, or embed again into a new collection.",
  });
}

function invalid(field: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} of the Pinecone store ${problem}.`,
    field,
    advice: "Correct the configuration of the store.",
  });
}
