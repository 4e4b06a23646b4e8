import { CallSignal, type CallOptions, type EmbeddingSpace, LociError } from "@loci/domain";
import { checkSameSpace, checkSpace, collectionId } from "./check-collection.ts";
import type { CollectionId, VectorCollection, VectorStoreCapabilities } from "./vector-store.ts";

/** A collection as its store has it open. */
export interface OpenCollection extends VectorCollection {
  /** What it was made for. */
  readonly space: EmbeddingSpace;
  /** From then on every call rejects with `reason`. */
  end(reason: LociError): void;
}

/**
 * The collections that a store has open, with all that every store does alike: refuse what is closed, over or wrong, have
 * opening and dropping take turns, open a collection once however often it is asked for, and end what is dropped or closed.
 */
export class OpenCollections<Collection extends OpenCollection> {
  readonly #capabilities: VectorStoreCapabilities;
  readonly #open = new Map<CollectionId, Collection>();
  readonly #closing = new AbortController();
  #turns: Promise<unknown> = Promise.resolve();

  constructor(capabilities: VectorStoreCapabilities) {
    this.#capabilities = capabilities;
  }

  /**
   * @param find gets the collection that is open already, and answers it, or another that takes its place. The call is
   *   over when the store is closed, too
   * @throws LociError `CLOSED`, `INVALID_IDENTIFIER`, `INVALID_REQUEST`, `UNSUPPORTED_OPERATION`, `EMBEDDING_SPACE_MISMATCH`;
   *   what `find` throws
   */
  async open(
    id: CollectionId,
    space: EmbeddingSpace,
    options: CallOptions | undefined,
    find: (known: Collection | undefined, call: CallSignal) => Collection | Promise<Collection>,
  ): Promise<Collection> {
    using call = this.#callOf(options);
    call.throwIfAborted();
    collectionId(id);
    checkSpace(space, this.#capabilities);
    return await this.#inTurn(async () => {
      call.throwIfAborted();
      const known = this.#open.get(id);
      const found = await find(known, call);
      checkSameSpace(id, found.space, space);
      if (found !== known) known?.end(droppedCollection(id));
      this.#open.set(id, found);
      if (!this.#closing.signal.aborted) return found;
      found.end(closedStore());
      throw closedStore();
    });
  }

  /**
   * @param remove gets the collection if it is open, ended already. What does not exist is no error
   * @throws LociError `CLOSED`, `INVALID_IDENTIFIER`; what `remove` throws
   */
  async drop(
    id: CollectionId,
    options: CallOptions | undefined,
    remove: (known: Collection | undefined, call: CallSignal) => void | Promise<void>,
  ): Promise<void> {
    using call = this.#callOf(options);
    call.throwIfAborted();
    collectionId(id);
    await this.#inTurn(async () => {
      call.throwIfAborted();
      const known = this.#open.get(id);
      known?.end(droppedCollection(id));
      this.#open.delete(id);
      await remove(known, call);
    });
  }

  /**
   * Ends every collection at once, then waits for what is being opened or dropped. Closing again does nothing.
   *
   * @param release lets go of what a collection holds
   */
  async close(release: (collection: Collection) => void | Promise<void> = () => undefined): Promise<void> {
    this.#closing.abort(closedStore());
    for (const collection of this.#open.values()) collection.end(closedStore());
    await this.#inTurn(async () => {
      for (const collection of this.#open.values()) await release(collection);
      this.#open.clear();
    });
  }

  #callOf({ signal, ...options }: CallOptions = {}): CallSignal {
    const closing = this.#closing.signal;
    return new CallSignal({ ...options, signal: signal === undefined ? closing : AbortSignal.any([closing, signal]) });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = this.#turns.then(work);
    this.#turns = running.catch(() => undefined);
    return running;
  }
}

/** What calls of a collection reject with once it was dropped. */
export function droppedCollection(id: CollectionId): LociError {
  return new LociError("COLLECTION_NOT_FOUND", { message: `The collection ${id} was dropped.`, resource: id });
}

function closedStore(): LociError {
  return new LociError("CLOSED", { message: "The vector store is closed.", advice: "Open it again." });
}
