import { createServer, type Server, type Socket, connect } from "node:net";

/** What a proxy does with a connection. Answers are counted as pieces of what the server sends. */
export type Fate =
  /** It is closed before anything is passed on. */
  | { readonly kind: "refused" }
  /** Each piece of an answer is passed on so many milliseconds later; after so many answers the connection is dropped. */
  | { readonly kind: "delayed"; readonly milliseconds: number; readonly answers: number }
  /** After so many answers what the client sends does not reach the server any more, and the connection is dropped. */
  | { readonly kind: "dropped-before"; readonly answers: number }
  /** After so many answers, and so long, the next one does not reach the client any more, and the connection is dropped. */
  | { readonly kind: "dropped-after"; readonly answers: number; readonly milliseconds?: number }
  /** What the client sends reaches nobody, and nothing comes back. */
  | { readonly kind: "silent" };

export interface FaultyProxy extends Disposable {
  readonly address: string;
  /** How many connections had each kind of fate. */
  readonly fates: Readonly<Record<Fate["kind"], number>>;
}

/**
 * Passes connections on to a port of this machine.
 *
 * @param fates what becomes of one connection after the other, and then of the next ones again
 * @param first what becomes of the first connections
 */
export async function startFaultyProxy(
  port: number,
  fates: readonly Fate[],
  first: readonly Fate[] = [],
): Promise<FaultyProxy> {
  const counts = { refused: 0, delayed: 0, "dropped-before": 0, "dropped-after": 0, silent: 0 };
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((client) => {
    const fate = first[next] ?? fates[(next - first.length) % fates.length] ?? { kind: "refused" };
    next++;
    counts[fate.kind]++;
    keep(sockets, client);
    if (fate.kind === "refused") client.destroy();
    else if (fate.kind === "silent") client.resume();
    else passOn(client, keep(sockets, connect({ host: "127.0.0.1", port })), fate);
  });
  await listen(server);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy listens on no port");
  return {
    address: `127.0.0.1:${address.port}`,
    fates: counts,
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function passOn(client: Socket, upstream: Socket, fate: Exclude<Fate, { kind: "refused" | "silent" }>): void {
  const start = performance.now();
  let answers = 0;
  const drop = (): void => {
    client.destroy();
    upstream.destroy();
  };
  const isOver = (): boolean =>
    fate.kind !== "dropped-before" &&
    answers > fate.answers &&
    (fate.kind === "delayed" || performance.now() - start >= (fate.milliseconds ?? 0));
  client.on("close", drop);
  upstream.on("close", drop);
  client.on("data", (bytes) => {
    if (fate.kind === "dropped-before" && answers >= fate.answers) drop();
    else upstream.write(bytes);
  });
  upstream.on("data", (bytes) => {
    answers++;
    if (isOver()) drop();
    else if (fate.kind === "delayed") setTimeout(() => client.destroyed || client.write(bytes), fate.milliseconds);
    else client.write(bytes);
  });
}

function keep(sockets: Set<Socket>, socket: Socket): Socket {
  sockets.add(socket);
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  socket.on("close", () => sockets.delete(socket));
  return socket;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
}
