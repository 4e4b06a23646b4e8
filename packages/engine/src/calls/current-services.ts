interface Generation<Services> {
  readonly services: Services;
  users: number;
  isOver: boolean;
  readonly unused: PromiseWithResolvers<void>;
}

/**
 * What calls work with, which can be replaced while they run: a call sees the same services from its beginning to its end,
 * so that it never mixes two indexes or two embedders.
 */
export class CurrentServices<Services> {
  #generation: Generation<Services>;

  constructor(services: Services) {
    this.#generation = generationOf(services);
  }

  get now(): Services {
    return this.#generation.services;
  }

  async use<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
    const generation = this.#generation;
    generation.users++;
    try {
      return await work(generation.services);
    } finally {
      generation.users--;
      if (generation.isOver && generation.users === 0) generation.unused.resolve();
    }
  }

  /** Calls that begin from now on see the new services. Resolves when no call uses the former any more. */
  async replace(services: Services): Promise<void> {
    const former = this.#generation;
    this.#generation = generationOf(services);
    former.isOver = true;
    if (former.users > 0) await former.unused.promise;
  }
}

function generationOf<Services>(services: Services): Generation<Services> {
  return { services, users: 0, isOver: false, unused: Promise.withResolvers() };
}
