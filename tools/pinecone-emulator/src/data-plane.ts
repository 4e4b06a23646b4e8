import { documentedLimits } from "./documented-limits.ts";
import type { Answer, ReceivedRequest } from "./http-listener.ts";
import { matchesMetadata } from "./metadata-filter.ts";
import { Namespace } from "./namespace.ts";
import { checkRecordId, checkValues, readRecord, type StoredRecord } from "./record.ts";
import { Refusal } from "./refusal.ts";

const defaultNamespace = "__default__";

/** The data of one index: upsert, query, fetch, list, delete, statistics, namespaces. Cosine only. */
export class DataPlane {
  readonly dimension: number;
  readonly #visibilityDelay: number;
  readonly #namespaces = new Map<string, Namespace>();

  constructor(dimension: number, visibilityDelay: number) {
    this.dimension = dimension;
    this.#visibilityDelay = visibilityDelay;
  }

  handle({ method, url, body }: ReceivedRequest): Answer {
    const route = `${method} ${url.pathname}`;
    switch (route) {
      case "POST /vectors/upsert":
        return this.#upsert(body);
      case "POST /query":
        return this.#query(body);
      case "GET /vectors/fetch":
        return this.#fetch(url.searchParams);
      case "GET /vectors/list":
        return this.#list(url.searchParams);
      case "POST /vectors/delete":
        return this.#delete(body);
      case "POST /describe_index_stats":
        return this.#statistics();
      default:
        throw new Refusal(`${route} is not emulated.`, 501, 12);
    }
  }

  #upsert(body: Readonly<Record<string, unknown>>): Answer {
    const { vectors } = body;
    if (!Array.isArray(vectors) || vectors.length === 0) throw new Refusal("vectors must be a list.");
    if (vectors.length > documentedLimits.upsertRecords)
      throw new Refusal(`Cannot upsert more than ${documentedLimits.upsertRecords} vectors`);
    const records = vectors.map((vector: unknown) => readRecord(vector, this.dimension));
    const sequence = this.#namespace(body["namespace"]).write((all) => {
      for (const record of records) all.set(record.id, record);
    });
    return { body: { upsertedCount: records.length }, headers: written(sequence) };
  }

  #query(body: Readonly<Record<string, unknown>>): Answer {
    const { topK, filter, vector, includeMetadata = false, includeValues = false } = body;
    if (!Number.isInteger(topK) || (topK as number) < 1 || (topK as number) > documentedLimits.topK)
      throw new Refusal(`topK must be from 1 to ${documentedLimits.topK}.`);
    const { records, indexedSequence } = this.#namespace(body["namespace"]).read();
    const id = body["id"] === undefined ? undefined : checkRecordId(body["id"]);
    const query = id === undefined ? checkValues(vector, this.dimension) : records.get(id)?.values;
    // So that a wrong filter is refused in an empty namespace, too.
    if (filter !== undefined) matchesMetadata(filter, {});
    const matches = query === undefined ? [] : bestMatches(records, query, filter, topK as number);
    const answer = {
      matches: matches.map(({ record, score }) => ({
        id: record.id,
        score,
        values: includeValues === true ? record.values : [],
        ...(includeMetadata === true ? { metadata: record.metadata } : {}),
      })),
      namespace: body["namespace"] ?? "",
      usage: { readUnits: 1 },
    };
    const bytes = Buffer.byteLength(JSON.stringify(answer));
    if (bytes > documentedLimits.resultBytes)
      throw new Refusal(`Query result size is ${bytes} bytes, above ${documentedLimits.resultBytes}.`, 400, 11);
    return { body: answer, headers: seen(indexedSequence) };
  }

  #fetch(parameters: URLSearchParams): Answer {
    const ids = parameters.getAll("ids").map(checkRecordId);
    if (ids.length === 0 || ids.length > documentedLimits.fetchIds)
      throw new Refusal(`Fetch takes 1 to ${documentedLimits.fetchIds} ids.`);
    const { records, indexedSequence } = this.#namespace(parameters.get("namespace")).read();
    const found = ids.flatMap((id) => {
      const record = records.get(id);
      return record === undefined ? [] : [[id, record] as const];
    });
    return {
      body: {
        vectors: Object.fromEntries(found),
        namespace: parameters.get("namespace") ?? "",
        usage: { readUnits: 1 },
      },
      headers: seen(indexedSequence),
    };
  }

  #list(parameters: URLSearchParams): Answer {
    const limit = Number(parameters.get("limit") ?? documentedLimits.listIds);
    if (!Number.isInteger(limit) || limit < 1 || limit > documentedLimits.listIds)
      throw new Refusal(`limit must be from 1 to ${documentedLimits.listIds}.`);
    const prefix = parameters.get("prefix") ?? "";
    const after = Buffer.from(parameters.get("paginationToken") ?? "", "base64").toString();
    const { records, indexedSequence } = this.#namespace(parameters.get("namespace")).read();
    const ids = [...records.keys()].filter((id) => id.startsWith(prefix) && id > after).toSorted();
    const page = ids.slice(0, limit);
    const last = page.at(-1) ?? "";
    return {
      body: {
        vectors: page.map((id) => ({ id })),
        ...(ids.length > limit ? { pagination: { next: Buffer.from(last).toString("base64") } } : {}),
        namespace: parameters.get("namespace") ?? "",
        usage: { readUnits: 1 },
      },
      headers: seen(indexedSequence),
    };
  }

  #delete(body: Readonly<Record<string, unknown>>): Answer {
    const { ids, deleteAll, filter } = body;
    if (!this.#namespaces.has(nameOf(body["namespace"]))) throw new Refusal("Namespace not found", 404, 5);
    if (filter !== undefined) throw new Refusal("Deleting by filter is not emulated.", 501, 12);
    const namespace = this.#namespace(body["namespace"]);
    if (deleteAll === true) return { body: {}, headers: written(namespace.write((all) => all.clear())) };
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > documentedLimits.deleteIds)
      throw new Refusal(`Delete takes 1 to ${documentedLimits.deleteIds} ids.`);
    const checked = ids.map(checkRecordId);
    const sequence = namespace.write((all) => {
      for (const id of checked) all.delete(id);
    });
    return { body: {}, headers: written(sequence) };
  }

  #statistics(): Answer {
    const counts = [...this.#namespaces].map(([name, namespace]) => [name, namespace.read().records.size] as const);
    return {
      body: {
        namespaces: Object.fromEntries(counts.map(([name, vectorCount]) => [name, { vectorCount }])),
        dimension: this.dimension,
        indexFullness: 0,
        totalVectorCount: counts.reduce((sum, [, count]) => sum + count, 0),
        metric: "cosine",
        vectorType: "dense",
      },
    };
  }

  /** A namespace comes to be by its first use. */
  #namespace(given: unknown): Namespace {
    const name = nameOf(given);
    let namespace = this.#namespaces.get(name);
    if (namespace === undefined) this.#namespaces.set(name, (namespace = new Namespace(this.#visibilityDelay)));
    return namespace;
  }
}

function nameOf(given: unknown): string {
  if (given === undefined || given === null || given === "") return defaultNamespace;
  if (typeof given !== "string" || given.length > documentedLimits.namespaceLength || !/^[\x20-\x7e]+$/.test(given))
    throw new Refusal(`A namespace's name is at most ${documentedLimits.namespaceLength} ASCII characters.`);
  return given;
}

interface Match {
  readonly record: StoredRecord;
  readonly score: number;
}

function bestMatches(
  records: ReadonlyMap<string, StoredRecord>,
  query: readonly number[],
  filter: unknown,
  topK: number,
): readonly Match[] {
  const matches: Match[] = [];
  for (const record of records.values())
    if (filter === undefined || matchesMetadata(filter, record.metadata))
      matches.push({ record, score: cosine(query, record.values) });
  return matches.toSorted((left, right) => right.score - left.score).slice(0, topK);
}

function cosine(left: readonly number[], right: readonly number[]): number {
  let [product, leftSquares, rightSquares] = [0, 0, 0];
  for (let index = 0; index < left.length; index++) {
    const [a, b] = [left[index] as number, right[index] as number];
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  return product / Math.sqrt(leftSquares * rightSquares);
}

function written(sequence: number): Answer["headers"] {
  return { "x-pinecone-request-lsn": String(sequence) };
}

function seen(sequence: number): Answer["headers"] {
  return { "x-pinecone-max-indexed-lsn": String(sequence) };
}
