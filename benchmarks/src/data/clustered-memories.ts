import { RandomStream, Weighted } from "./random-stream.ts";

/** Topics, and kinds of text inside a topic. */
export const clusterCount = 1200;
export const subclusterCount = 8;

const users = 200;
const projects = 20;
const categories = ["preference", "fact", "decision", "entity", "learning", "note"] as const;

/** Where the memories of a benchmark belong and what they are about; the same for every number of dimensions. */
export interface ClusteredMemories {
  /** Of each memory: users come first, then projects, then the global scope. */
  readonly scopes: Uint16Array;
  readonly clusters: Uint16Array;
  readonly subclusters: Uint8Array;
  /** Names by place. */
  readonly scopeNames: readonly ("global" | `user:${string}` | `project:${string}`)[];
  readonly categories: readonly string[];
}

/** A question of a user, near one memory that the user may see. */
export interface ClusteredQuery {
  /** The user's scope, the scope of one project, and the global one: about 7% of the memories together. */
  readonly scopes: readonly number[];
  /** The memory it is near. */
  readonly target: number;
}

/** 70% of the memories belong to one of 200 users, 25% to one of 20 projects, 5% to all; a few own much, many little. */
export function clusteredMemories(count: number): ClusteredMemories {
  const random = new RandomStream(12_345);
  const user = new Weighted(users, (place) => (place + 3) ** -0.7);
  const project = new Weighted(projects, (place) => (place + 2) ** -0.7);
  const topic = new Weighted(clusterCount, (place) => (place + 5) ** -0.8);
  const category = new Weighted(categories.length, (place) => [0.35, 0.25, 0.15, 0.1, 0.1, 0.05][place] ?? 0);
  const scopes = new Uint16Array(count);
  const clusters = new Uint16Array(count);
  const subclusters = new Uint8Array(count);
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const kind = random.uniform();
    const scope = kind < 0.7 ? user.pick(random) : kind < 0.95 ? users + project.pick(random) : users + projects;
    scopes[index] = scope;
    // Half of what a scope holds is about topics of its own.
    const own = (scope * 53 + random.below(24)) % clusterCount;
    const general = topic.pick(random);
    clusters[index] = random.uniform() < 0.5 ? own : general;
    subclusters[index] = random.below(subclusterCount);
    names.push(categories[category.pick(random)] as string);
  }
  const scopeNames = Array.from({ length: users + projects + 1 }, (_, place) =>
    place < users
      ? (`user:u${place}` as const)
      : place < users + projects
        ? (`project:p${place - users}` as const)
        : "global",
  );
  return { scopes, clusters, subclusters, scopeNames, categories: names };
}

/** Questions about memories that their user may see. */
export function clusteredQueries({ scopes }: ClusteredMemories, count: number): readonly ClusteredQuery[] {
  const random = new RandomStream(67_890);
  const user = new Weighted(users, (place) => (place + 3) ** -0.7);
  return Array.from({ length: count }, () => {
    const asking = user.pick(random);
    const own = [asking, users + ((asking * 7) % projects), users + projects];
    for (;;) {
      const target = random.below(scopes.length);
      if (own.includes(scopes[target] as number)) return { scopes: own, target };
    }
  });
}
