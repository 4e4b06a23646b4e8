import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { namesNobody } from "@loci/agent";
import {
  type CallOptions,
  everyMemory,
  formatScope,
  type Loci,
  LociError,
  type Memory,
  type MemoryKey,
  parseScope,
  type RecallHit,
  type Scope,
  type ScopeInput,
} from "@loci/domain";
import { checkFilter, matchesFilter } from "./item-filter.ts";
import { beginsWith, checkNamespace, comparisonsOf, matchesCondition } from "./namespace-labels.ts";
import { checkItemKey, itemCategory, itemOf, type ItemPlace, memoryKeyOf, memoryOfItem } from "./store-item.ts";

/** Where the items of a store are kept. */
export type StoreScope = ScopeInput | ((namespace: readonly string[]) => ScopeInput | undefined);

export interface LociStoreOptions {
  readonly loci: Loci;
  /**
   * Whose memories the items are: one scope, best one of the store's own, or what your application makes of a namespace. A search
   * and a list of namespaces ask it for the prefix that they are given.
   */
  readonly scope: StoreScope;
  /** Paths whose text an item is searched by, where `put` says nothing else. Default `["$"]`, all of it. `false`: none is. */
  readonly index?: readonly string[] | false | undefined;
  /** After how many minutes an item expires that is not put again. Default: never. */
  readonly ttl?: number | undefined;
  /** Of every call that the store makes, such as a signal. */
  readonly call?: Pick<CallOptions, "signal" | "deadline"> | undefined;
}

/** What an item without an answer to a question is asked for at most. */
const mostFound = 1_000;
/** Enough that no text is left out or cut. */
const everyToken = 10_000_000;
const millisecondsOfMinute = 60_000;

/** A LangGraph store whose items are memories: found by their place, by their fields and by a question, on every device. */
export class LociStore extends BaseStore {
  readonly #options: LociStoreOptions;

  constructor(options: LociStoreOptions) {
    super();
    this.#options = options;
  }

  /**
   * Reads first, all as it was before; then writes, of several to one place the last. Each write is whole, and all are in the order of
   * the batch; of one that fails the later ones are not made.
   *
   * @throws LociError `SCOPE_REQUIRED`, `INVALID_IDENTIFIER`, `METADATA_TOO_LARGE`, `UNSUPPORTED_OPERATION`, and as `Loci` does
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) check(operation);
    const scans = new Map<string, Promise<readonly Item[]>>();
    const results = await Promise.all(
      operations.map(async (operation): Promise<unknown> => {
        if ("namespacePrefix" in operation) return this.#search(operation, scans);
        if ("value" in operation) return null;
        return "key" in operation ? this.#get(operation) : this.#listNamespaces(operation, scans);
      }),
    );
    const writes = new Map<string, PutOperation>();
    for (const operation of operations) if ("value" in operation) writes.set(memoryKeyOf(operation), operation);
    for (const write of writes.values()) await this.#put(write);
    return results as OperationResults<Op>;
  }

  async #get(place: GetOperation): Promise<Item | null> {
    const memory = await orNothing(this.#options.loci.memories.get(this.#named(place), this.#options.call));
    return (memory && itemOf(memory, Date.now())) ?? null;
  }

  async #put({ namespace, key, value, index }: PutOperation): Promise<void> {
    const { loci, call, ttl } = this.#options;
    const named = this.#named({ namespace, key });
    if (value === null) {
      const memory = await orNothing(loci.memories.get(named, call));
      if (memory !== undefined) await orNothing(loci.memories.forget(memory.id, undefined, call));
      return;
    }
    const expiresAt = ttl === undefined ? undefined : Date.now() + ttl * millisecondsOfMinute;
    const kept = { namespace, key, value, index: index ?? this.#options.index ?? ["$"], expiresAt };
    await loci.memories.update(named, memoryOfItem(kept), { allowMissing: true }, call);
  }

  async #search(
    { namespacePrefix, filter = {}, query, limit = 10, offset = 0 }: SearchOperation,
    scans: Map<string, Promise<readonly Item[]>>,
  ): Promise<SearchItem[]> {
    const scope = this.#scopeOf(namespacePrefix);
    const isWanted = ({ namespace, value }: Item): boolean =>
      beginsWith(namespace, namespacePrefix) && matchesFilter(value, filter);
    const end = offset + limit;
    if (query === undefined || query === "")
      return (await this.#scan(scope, scans))
        .filter(isWanted)
        .slice(offset, end)
        .map((item) => ({ ...item, score: undefined }) as unknown as SearchItem);
    const found = await this.#recall(scope, query, namespacePrefix);
    return found.filter(isWanted).slice(offset, end);
  }

  async #listNamespaces(
    { matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation,
    scans: Map<string, Promise<readonly Item[]>>,
  ): Promise<string[][]> {
    const prefix = matchConditions.find(({ matchType }) => matchType === "prefix")?.path ?? [];
    const wild = prefix.indexOf("*");
    const items = await this.#scan(this.#scopeOf(wild < 0 ? prefix : prefix.slice(0, wild)), scans);
    const matching = items
      .map(({ namespace }) => namespace)
      .filter((namespace) => matchConditions.every((condition) => matchesCondition(namespace, condition)))
      .map((namespace) => namespace.slice(0, maxDepth));
    // No label has a colon.
    const byName = new Map(matching.map((namespace) => [namespace.join(":"), namespace]));
    const sorted = [...byName].toSorted(([left], [right]) => left.localeCompare(right) || (left < right ? -1 : 1));
    return sorted.slice(offset, offset + limit).map(([, namespace]) => namespace);
  }

  /** Every item of a scope, oldest first, read once for a batch. */
  #scan(scope: Scope, scans: Map<string, Promise<readonly Item[]>>): Promise<readonly Item[]> {
    const name = formatScope(scope);
    const known = scans.get(name) ?? this.#readAll(scope);
    scans.set(name, known);
    return known;
  }

  async #readAll(scope: Scope): Promise<readonly Item[]> {
    const { loci, call } = this.#options;
    const request = { scopes: [scope], categories: [itemCategory] };
    const newestFirst: Memory[] = [];
    for await (const memory of everyMemory(loci.memories, request, call)) newestFirst.push(memory);
    const now = Date.now();
    // Ids are in the order in which they were made, and a list has those of one moment by id.
    const oldestFirst = newestFirst.toSorted(
      (left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1),
    );
    return oldestFirst.flatMap((memory) => itemOf(memory, now) ?? []);
  }

  /** All items that a question finds, best first. */
  async #recall(scope: Scope, query: string, prefix: readonly string[]): Promise<readonly SearchItem[]> {
    const { loci, call } = this.#options;
    const request = {
      query,
      scopes: [scope],
      categories: [itemCategory],
      limit: mostFound,
      maxTokens: everyToken,
      maxTokensPerMemory: everyToken,
      relevanceFloor: 0,
      explain: true,
    };
    const where = prefix.length === 0 ? undefined : { and: comparisonsOf(prefix) };
    const { hits, dropped } = await loci.recall({ ...request, where }, call).catch((error: unknown) => {
      // Not declared: the labels are compared here.
      if (!LociError.is(error) || error.reason !== "INVALID_FILTER") throw error;
      return loci.recall(request, call);
    });
    // Items that say the same are items of their own.
    const repeated = dropped.filter(({ reason }) => reason === "NEAR_DUPLICATE" || reason === "SOURCE_SHARE");
    const others = await Promise.all(
      repeated.map(async ({ id, parts, inFavourOf }) => {
        const memory = await orNothing(loci.memories.get(id, call));
        return { memory, relevance: parts?.relevance, inFavourOf };
      }),
    );
    const now = Date.now();
    const scored = (memory: Memory | undefined, score: number | undefined): readonly SearchItem[] => {
      const item = memory && itemOf(memory, now);
      return item === undefined || score === undefined ? [] : [{ ...item, score }];
    };
    const ofHit = ({ memory, parts }: RecallHit): readonly SearchItem[] => [
      ...scored(memory, parts.relevance),
      ...others
        .filter(({ inFavourOf }) => inFavourOf === memory.id)
        .flatMap((other) => scored(other.memory, other.relevance)),
    ];
    return hits.flatMap(ofHit);
  }

  #named(place: ItemPlace): MemoryKey {
    return { scope: this.#scopeOf(place.namespace), key: memoryKeyOf(place) };
  }

  #scopeOf(namespace: readonly string[]): Scope {
    const { scope } = this.#options;
    const named = typeof scope === "function" ? scope(namespace) : scope;
    if (named !== undefined && !namesNobody(named)) return parseScope(named, "scope");
    throw new LociError("SCOPE_REQUIRED", {
      message: "Nobody said whose memories the items of this namespace are.",
      field: "scope",
      advice: "Pass a scope, or a function that returns one for each namespace and for each prefix that is searched.",
    });
  }
}

/** Everything of a batch is looked at before anything of it is done. */
function check(operation: Operation): void {
  if ("namespacePrefix" in operation) {
    checkNamespace(operation.namespacePrefix, true);
    checkFilter(operation.filter ?? {});
  } else if ("namespace" in operation) {
    checkNamespace(operation.namespace);
    checkItemKey(operation.key);
    if ("value" in operation && operation.value !== null)
      memoryOfItem({ ...operation, value: operation.value, index: operation.index ?? ["$"], expiresAt: undefined });
  }
}

async function orNothing<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (LociError.is(error) && error.reason === "MEMORY_NOT_FOUND") return undefined;
    throw error;
  }
}
