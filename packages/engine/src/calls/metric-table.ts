/** What a figure is. An observed one is looked up when somebody collects the metrics, and costs nothing else. */
export type MetricKind = "counter" | "observed counter" | "gauge" | "histogram";

/** Named for what is counted in them. */
export type BucketName = "milliseconds" | "seconds" | "amounts" | "shares" | "tokens";

/** A figure that Loci tells about itself, under its name in a table of metrics. */
export interface Metric {
  readonly kind: MetricKind;
  /** By UCUM, such as `ms`, `s`, `By`, `1`, `{token}`. */
  readonly unit: string;
  /** Of what it is told apart by. Each has few values, whoever calls: never a tenant, a scope, an id or a text. */
  readonly attributes: readonly string[];
  /** In a sentence or two. */
  readonly meaning: string;
  /** Of a histogram. */
  readonly buckets?: BucketName;
}

/** What attributes may be. */
export type MetricAttributes = Readonly<Record<string, string>>;

/** Where the buckets of histograms end. */
export const bucketBounds: Readonly<Record<BucketName, readonly number[]>> = {
  milliseconds: [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000],
  seconds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  amounts: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
  shares: [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1, 1.5],
  tokens: [1, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144],
};

/** What the engine tells. Servers add their own figures, and show all of them in one reference page. */
export const engineMetrics = {
  "loci.step.duration": {
    kind: "histogram",
    unit: "ms",
    attributes: ["loci.operation", "loci.step"],
    buckets: "milliseconds",
    meaning: "How long each step of a call took.",
  },
  "loci.recall.hits": {
    kind: "histogram",
    unit: "{memory}",
    attributes: [],
    buckets: "amounts",
    meaning: "How many memories each recall found, those of assemblies included.",
  },
  "loci.recall.empty": {
    kind: "counter",
    unit: "{recall}",
    attributes: [],
    meaning: "Recalls that found nothing relevant, also when the newest memories stood in.",
  },
  "loci.recall.degraded": {
    kind: "counter",
    unit: "{recall}",
    attributes: ["loci.recall.degradation"],
    meaning: "Recalls whose answer was less than it could be, by the reason they gave.",
  },
  "loci.assembly.tokens": {
    kind: "counter",
    unit: "{token}",
    attributes: ["loci.item.kind", "loci.item.outcome"],
    meaning: "What was considered for contexts: tokens that stand in them, and those that were left out.",
  },
  "loci.assembly.window.use": {
    kind: "histogram",
    unit: "1",
    attributes: [],
    buckets: "shares",
    meaning: "How much of its window each context fills, as a share of what sections and query may take.",
  },
  "loci.receipts": {
    kind: "counter",
    unit: "{receipt}",
    attributes: ["loci.receipt.outcome"],
    meaning:
      "Receipts of contexts that were kept, and those that were dropped because the ledger was slower than they came.",
  },
  "loci.cache.lookups": {
    kind: "counter",
    unit: "{lookup}",
    attributes: ["loci.cache", "loci.cache.outcome"],
    meaning: "How often what the process keeps between calls was there. What is missed is read or made anew.",
  },
  "loci.embedding.texts": {
    kind: "observed counter",
    unit: "{text}",
    attributes: ["loci.embedding.source"],
    meaning: "Texts a vector was asked for, by who had it: one of the layers of the cache, or the embedder.",
  },
  "loci.index.lag": {
    kind: "gauge",
    unit: "{change}",
    attributes: ["loci.index"],
    meaning: "Committed changes that an index has yet to take in, of all tenants that this process brings up to date.",
  },
  "loci.index.lagging_tenants": {
    kind: "gauge",
    unit: "{tenant}",
    attributes: ["loci.index"],
    meaning: "Tenants that have such changes, or whose index fails to take them in.",
  },
  "loci.jobs.unfinished": {
    kind: "gauge",
    unit: "{job}",
    attributes: ["loci.job.kind", "loci.job.state"],
    meaning: "Durable jobs that wait or are under way, of all servers on the ledger.",
  },
  "loci.jobs.ended": {
    kind: "counter",
    unit: "{job}",
    attributes: ["loci.job.kind", "loci.job.state"],
    meaning: "Attempts at durable jobs that this process has ended, and how.",
  },
  "loci.usage.tokens": {
    kind: "counter",
    unit: "{token}",
    attributes: ["gen_ai.token.type"],
    meaning: "Tokens of model calls that were recorded: those that callers report, and those that Loci makes itself.",
  },
  "loci.usage.cap.share": {
    kind: "histogram",
    unit: "1",
    attributes: ["loci.cap.owner", "loci.cap.unit"],
    buckets: "shares",
    meaning:
      "Each time a cap was checked: the share of it that is used, the call that asked included. Above 1: refused.",
  },
  "gen_ai.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    attributes: ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "error.type"],
    buckets: "seconds",
    meaning: "How long each call of a language model or an embedder took that Loci made.",
  },
  "gen_ai.client.token.usage": {
    kind: "histogram",
    unit: "{token}",
    attributes: ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.token.type"],
    buckets: "tokens",
    meaning: "Tokens of each such call, as far as the server said.",
  },
} as const;

/** What the attributes of the engine's metrics are, for people. */
export const engineMetricAttributes: MetricAttributes = {
  "loci.operation": "`remember`, `recall` or `assemble`",
  "loci.step": "a step of the operation, such as `embed`, `search` or `rank`; the code has about 25",
  "loci.recall.degradation":
    "`INDEX_BEHIND`, `EMBEDDING_UNAVAILABLE`, `TEXT_INDEX_UNAVAILABLE`, `VECTOR_INDEX_UNAVAILABLE` or `RERANKER_UNAVAILABLE`",
  "loci.item.kind": "`memory`, `message`, `summary`, `text`, `block` or `turnState`",
  "loci.item.outcome": "`kept` or `dropped`",
  "loci.cache": "`standing`, `turn`, `conversation`, `blocks` or `summary`",
  "loci.receipt.outcome": "`kept` or `dropped`",
  "loci.cache.outcome": "`hit` or `miss`",
  "loci.embedding.source": "`memory`, `shared` (asked for twice at once), `ledger` or `embedder`",
  "loci.index": "`vectors`, `text`, or what else follows the log, such as `capture-triggers`",
  "loci.job.kind": "`operation` or `capture`",
  "loci.job.state":
    "`queued` or `running`; of ended ones `succeeded`, `dead`, `cancelled`, or `queued` for another try",
  "loci.cap.owner": "`tenant` or `session`",
  "loci.cap.unit": "`tokens` or `cost`",
  "gen_ai.token.type": "`input` or `output`",
  "gen_ai.operation.name": "`chat` or `embeddings`",
  "gen_ai.provider.name":
    "`openai`, for every server with its interface; `_OTHER` for a model of a program that says none",
  "gen_ai.request.model": "a model of the configuration",
  "error.type": "the reason of a failure, such as `LANGUAGE_MODEL_UNAVAILABLE`; `_OTHER` for none of Loci's",
};
