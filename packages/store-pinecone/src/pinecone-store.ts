import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  CallSignal,
  type CallOptions,
  type EmbeddingSpace,
  embeddingSpaceId,
  filterOperators,
  LociError,
} from "@loci/domain";
import {
  checkSpace,
  type CollectionId,
  collectionId,
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
  options: Pick<PineconeStoreOptions, "owner" | "prefix"> & PineconeConnectionOptions,
  call?: CallOptions,
): Promise<void> {
  using running = new CallSignal(call);
  const connection = new PineconeConnection(options);
  const listed = await connection.run(() => connection.client.indexes.list(), running.signal);
  const isOwn = ({ name, tags }: IndexModel): boolean =>
    name.startsWith(`${options.prefix ?? defaultPrefix}-`) && tags?.[ownerTag] === ownerTagOf(options.owner);
  for (const index of listed?.result.indexes ?? [])
    if (isOwn(index)) await removeIndex(connection, index.name, running);
}

async function removeIndex(connection: PineconeConnection, name: string, call: CallSignal): Promise<void> {
  await connection.run(() => connection.client.indexes.delete(name), call.signal);
  // The name is free again only when the index is gone.
  while ((await connection.run(() => connection.client.indexes.describe(name), call.signal)) !== undefined)
    await setTimeout(pollMilliseconds, undefined, { signal: call.signal }).catch(() => call.throwIfAborted());
}

class PineconeVectorStore implements VectorStore {
  readonly name = "pinecone";
  readonly capabilities = capabilities;
  readonly #connection: PineconeConnection;
  readonly #options: PineconeStoreOptions & { readonly prefix: string };
  readonly #collections = new Map<CollectionId, PineconeCollection>();
  #isClosed = false;

  constructor(connection: PineconeConnection, options: PineconeStoreOptions & { readonly prefix: string }) {
    this.#connection = connection;
    this.#options = options;
  }

  async openCollection(id: CollectionId, space: EmbeddingSpace, options?: CallOptions): Promise<VectorCollection> {
    using call = new CallSignal(options);
    this.#check(id, call);
    checkSpace(space, capabilities);
    const open = this.#collections.get(id);
    if (open !== undefined) {
      if (embeddingSpaceId(open.space) !== embeddingSpaceId(space)) throw otherSpace(id);
      return open;
    }
    const model = await this.#findOrMake(this.#indexName(id), space, call.signal);
    // The space says how many dimensions there are.
    if (model.tags?.[spaceTag] !== spaceTagOf(space)) throw otherSpace(id);
    this.#check(id, call);
    const { host } = model;
    const index = this.#connection.client.index({ host });
    const collection = new PineconeCollection(this.#connection, index, { ...space }, capabilities);
    this.#collections.set(id, collection);
    return collection;
  }

  async dropCollection(id: CollectionId, options?: CallOptions): Promise<void> {
    using call = new CallSignal(options);
    this.#check(id, call);
    this.#collections
      .get(id)
      ?.end(new LociError("COLLECTION_NOT_FOUND", { message: `The collection ${id} was dropped.`, resource: id }));
    this.#collections.delete(id);
    await removeIndex(this.#connection, this.#indexName(id), call);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const collection of this.#collections.values()) collection.end(closed());
    this.#collections.clear();
  }

  /** Names of collections may be longer, and hold more, than names of indexes. */
  #indexName(id: CollectionId): string {
    const { prefix, owner = "" } = this.#options;
    // No name of a collection holds a line break.
    return `${prefix}-${createHash("sha256").update(`${id}\n${owner}`).digest("hex").slice(0, 32)}`;
  }

  async #describe(name: string, signal: AbortSignal): Promise<IndexModel | undefined> {
    return (await this.#connection.run(() => this.#connection.client.indexes.describe(name), signal))?.result;
  }

  async #findOrMake(name: string, space: EmbeddingSpace, signal: AbortSignal): Promise<IndexModel> {
    const { cloud = "aws", region = "us-east-1" } = this.#options;
    if ((await this.#describe(name, signal)) === undefined)
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
    for (;;) {
      const model = await this.#describe(name, signal);
      if (model?.status.ready === true) return model;
      await setTimeout(pollMilliseconds, undefined, { signal });
    }
  }

  #check(id: CollectionId, call: CallSignal): void {
    if (this.#isClosed) throw closed();
    call.throwIfAborted();
    collectionId(id);
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

function closed(): LociError {
  return new LociError("CLOSED", { message: "The vector store is closed.", advice: "Open it again." });
}
