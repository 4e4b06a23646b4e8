import { DataPlane } from "./data-plane.ts";
import { documentedLimits } from "./documented-limits.ts";
import type { Answer, HttpListener, ReceivedRequest } from "./http-listener.ts";
import { Refusal } from "./refusal.ts";

interface EmulatedIndex {
  readonly name: string;
  readonly dimension: number;
  readonly metric: string;
  readonly tags: Readonly<Record<string, string>>;
  /** As it was asked for. */
  readonly schema: unknown;
  readonly deployment: object;
  readonly listener: HttpListener;
}

const defaultDeployment = { deployment_type: "managed", cloud: "aws", region: "us-east-1" };

/** Makes, describes and removes serverless indexes of dense vectors. */
export class ControlPlane {
  readonly #listen: (handle: (request: ReceivedRequest) => Answer) => Promise<HttpListener>;
  readonly #visibilityDelay: number;
  readonly #indexes = new Map<string, EmulatedIndex>();

  constructor(
    listen: (handle: (request: ReceivedRequest) => Answer) => Promise<HttpListener>,
    visibilityDelay: number,
  ) {
    this.#listen = listen;
    this.#visibilityDelay = visibilityDelay;
  }

  async handle({ method, url, body }: ReceivedRequest): Promise<Answer> {
    const [, collection, name, ...rest] = url.pathname.split("/").map(decodeURIComponent);
    if (collection !== "indexes" || rest.length > 0) throw new Refusal("Not emulated.", 501, "UNIMPLEMENTED");
    if (name === undefined || name === "") {
      if (method === "GET") return { body: { indexes: [...this.#indexes.values()].map(modelOf) } };
      if (method === "POST") return this.#create(body);
    } else {
      const index = this.#indexes.get(name);
      if (index === undefined) throw new Refusal(`Resource ${name} not found`, 404, "NOT_FOUND");
      if (method === "GET") return { body: modelOf(index) };
      if (method === "DELETE") {
        this.#indexes.delete(name);
        await index.listener.close();
        return { status: 202, body: {} };
      }
    }
    throw new Refusal("Not emulated.", 501, "UNIMPLEMENTED");
  }

  async close(): Promise<void> {
    await Promise.all([...this.#indexes.values()].map(({ listener }) => listener.close()));
  }

  async #create(body: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { name, schema, deployment, tags = {} } = body;
    const wrong = (message: string): Refusal => new Refusal(message, 400, "INVALID_ARGUMENT");
    if (
      typeof name !== "string" ||
      name.length > documentedLimits.indexNameLength ||
      !/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name)
    )
      throw wrong(`An index's name is at most ${documentedLimits.indexNameLength} of a-z, 0-9 and -.`);
    if (this.#indexes.has(name)) throw new Refusal("Resource already exists", 409, "ALREADY_EXISTS");
    const { dimension, metric } = denseVector(schema) ?? {};
    if (
      !Number.isInteger(dimension) ||
      (dimension as number) < 1 ||
      (dimension as number) > documentedLimits.dimensions
    )
      throw wrong(`dimension must be from 1 to ${documentedLimits.dimensions}.`);
    if (metric !== "cosine") throw wrong("Only the metric cosine is emulated.");
    const data = new DataPlane(dimension as number, this.#visibilityDelay);
    const index: EmulatedIndex = {
      name,
      dimension: data.dimension,
      metric,
      tags: checkTags(tags),
      schema,
      deployment: typeof deployment === "object" && deployment !== null ? deployment : defaultDeployment,
      listener: await this.#listen((request) => data.handle(request)),
    };
    this.#indexes.set(name, index);
    return { status: 201, body: modelOf(index) };
  }
}

function denseVector(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const fields = (schema as { fields?: Readonly<Record<string, Readonly<Record<string, unknown>>>> } | undefined)
    ?.fields;
  return Object.values(fields ?? {}).find(({ type }) => type === "dense_vector");
}

function checkTags(tags: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(tags as Readonly<Record<string, unknown>>);
  const { tagKeyLength, tagValueLength } = documentedLimits;
  if (entries.length > documentedLimits.tags) throw new Refusal("Too many tags.", 400, "INVALID_ARGUMENT");
  for (const [key, value] of entries)
    if (
      !/^[A-Za-z0-9_-]+$/.test(key) ||
      key.length > tagKeyLength ||
      typeof value !== "string" ||
      !/^[A-Za-z0-9_\-. ;@]*$/.test(value) ||
      value.length > tagValueLength
    )
      throw new Refusal("A tag has the wrong form.", 400, "INVALID_ARGUMENT");
  return tags as Readonly<Record<string, string>>;
}

function modelOf({ name, dimension, metric, tags, schema, deployment, listener }: EmulatedIndex): object {
  return {
    name,
    dimension,
    metric,
    host: listener.url,
    deletion_protection: "disabled",
    tags,
    schema,
    deployment: { ...deployment, environment: "emulated" },
    read_capacity: { mode: "OnDemand", status: { state: "Ready" } },
    status: { ready: true, state: "Ready" },
  };
}
