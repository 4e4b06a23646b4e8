import type { JsonValue } from "@bufbuild/protobuf";

const identifier = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** In texts too: as people write times, and in milliseconds. */
const times = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z|\b\d{13}\b/g;
/** In lines of an export. */
const commits = /\b[0-9a-f]{40}\b/g;
const places = /"place":"\d+\.\d+"/g;
const serverAddress = /\b(?:127\.0\.0\.1|localhost):\d+/g;
/** What a language's gRPC library says of a connection, in a sentence that all layers begin alike. */
const connectionTrouble = /^(No Loci server answered at <address>).*$/s;

/** Fields whose text means something to the server that gave it alone. */
const opaqueFields: ReadonlySet<string> = new Set([
  "commitId",
  "etag",
  "cursor",
  "nextPageToken",
  "pageToken",
  "place",
]);
/** Fields that tell which of the programs asked: each has a tenant of its own. */
const callerFields: ReadonlySet<string> = new Set(["tenant"]);
/** Fields that tell how long something took. */
const measuredFields: ReadonlySet<string> = new Set(["timings", "ratePerSecond"]);

const nearMilliseconds = 86_400_000;

/** Puts names in place of what differs from run to run: each different value gets a name by its first appearance. */
export class Masks {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #now = Date.now();

  /** The value, whose keys are sorted, with masks. */
  apply(value: JsonValue, field = ""): JsonValue {
    if (measuredFields.has(field)) return "<measured>";
    if (typeof value === "string") return this.#text(value, field);
    if (Array.isArray(value)) return value.map((each) => this.apply(each, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.#text(name, ""), this.apply(each, name)]),
    );
  }

  #text(text: string, field: string): string {
    if (callerFields.has(field)) return `<${field}>`;
    if (text !== "" && opaqueFields.has(field)) return this.#named(field, text);
    return text
      .replaceAll(times, (time) => (this.#isNear(time) ? "<now>" : time))
      .replaceAll(serverAddress, "<address>")
      .replaceAll(places, '"place":"<place>"')
      .replaceAll(commits, (commit) => this.#named("commit", commit))
      .replaceAll(identifier, (id) => this.#named("id", id))
      .replace(connectionTrouble, "$1.");
  }

  #isNear(time: string): boolean {
    const milliseconds = time.includes("T") ? Date.parse(time) : Number(time);
    return Math.abs(milliseconds - this.#now) < nearMilliseconds;
  }

  #named(kind: string, value: string): string {
    const key = `${kind} ${value}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    this.#names.set(key, name);
    return name;
  }
}
