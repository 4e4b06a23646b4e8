import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands before a server and can cut it off. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections and takes no new ones until `restore`. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Lets nothing through the connections there are, and ends none of them, as a network that was parted. New ones are taken. */
  freeze(): void;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const serve = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const target = connect(targetPort, "127.0.0.1");
      for (const socket of [client, target]) {
        sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          sockets.delete(socket);
          client.destroy();
          target.destroy();
        });
      }
      client.pipe(target).pipe(client);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  let server = await serve(0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const cut = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    cut,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore: async () => {
      server = await serve(port);
    },
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await cut();
    },
  };
}
