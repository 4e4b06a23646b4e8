/** What a service was asked. */
export interface Traffic {
  readonly requests: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

let requests = 0;
let sentBytes = 0;
let receivedBytes = 0;

/** Counts bodies of everything that this process fetches from now on. Headers are left out: they are the client's. */
export function countTraffic(): void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    requests++;
    const { body } = init ?? {};
    if (typeof body === "string") sentBytes += Buffer.byteLength(body);
    receivedBytes += (await response.clone().arrayBuffer()).byteLength;
    return response;
  };
}

/** Since the counting began. */
export function trafficSoFar(): Traffic {
  return { requests, sentBytes, receivedBytes };
}

/** Of one of `count` operations since then. */
export function trafficOfOne(since: Traffic, count: number): Traffic {
  return {
    requests: (requests - since.requests) / count,
    sentBytes: (sentBytes - since.sentBytes) / count,
    receivedBytes: (receivedBytes - since.receivedBytes) / count,
  };
}
