import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { LociError, type LociErrorJson } from "@loci/loci";
import { placeOf, type Logger } from "../logging/logger.ts";
import { backUpShards } from "./shards-backup.ts";
import { linesOf } from "./socket-lines.ts";
import type { MovePhase, MovedTenant, TenantMover } from "./tenant-mover.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** What the server's user asks, as one line of JSON. Closing the connection takes it back, as long as that can be. */
export type OperatorRequest =
  | { readonly type: "move"; readonly tenant: string; readonly to: number }
  | { readonly type: "backup"; readonly directory: string };

/** Lines of JSON that answer: `taken` at once, any number with `progress`, and one of the others. */
export type OperatorAnswer =
  | { readonly type: "taken" }
  | { readonly type: "progress"; readonly phase: MovePhase }
  | { readonly type: "moved"; readonly moved: MovedTenant }
  | { readonly type: "backedUp"; readonly directory: string; readonly shards: number }
  | { readonly type: "failed"; readonly error: LociErrorJson };

export interface OperatorSocketParts {
  readonly mover: TenantMover;
  readonly workers: readonly WorkerProcess[];
  /** Told of what fails and was not meant to: whoever asked is told no more than that. */
  readonly logger: Logger;
}

/** A longer line is nobody's request. */
const mostBytes = 4_096;

/**
 * Takes what concerns all shards, at a Unix socket in a directory that only the server's user can enter: who reaches it may do
 * what can be done with the files.
 */
export async function listenForOperator(
  socketDirectory: string,
  parts: OperatorSocketParts,
): Promise<{ readonly path: string; close(): void }> {
  const path = join(socketDirectory, "operator.sock");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    void answer(socket, parts);
  });
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function answer(socket: Socket, { mover, workers, logger }: OperatorSocketParts): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort(new LociError("CANCELLED", { message: "Whoever asked for it has gone." })));
  const tell = (told: OperatorAnswer): void => void (socket.writable && socket.write(`${JSON.stringify(told)}\n`));
  try {
    const request = parseRequest(await firstLine(socket));
    // Nothing more is read of it, but that it ends.
    socket.resume();
    tell({ type: "taken" });
    if (request.type === "backup") {
      const { directory } = request;
      tell({ type: "backedUp", ...(await backUpShards(directory, { mover, workers, signal: gone.signal })) });
    } else {
      const onProgress = (phase: MovePhase): void => tell({ type: "progress", phase });
      tell({ type: "moved", moved: await mover.move(request.tenant, request.to, { signal: gone.signal, onProgress }) });
    }
  } catch (error) {
    if (!LociError.is(error)) logger.log("error", "operator", placeOf(error));
    tell({ type: "failed", error: errorOf(error).toJSON() });
  }
  socket.end();
}

async function firstLine(socket: Socket): Promise<string> {
  let read = 0;
  socket.on("data", (bytes: Buffer) => {
    read += bytes.length;
    if (read > mostBytes) socket.destroy();
  });
  for await (const line of linesOf(socket)) return line;
  throw badRequest();
}

function parseRequest(line: string): OperatorRequest {
  let given: Partial<Record<"type" | "tenant" | "to" | "directory", unknown>> | null;
  try {
    given = JSON.parse(line) as typeof given;
  } catch {
    throw badRequest();
  }
  if (given?.type === "move" && typeof given.tenant === "string" && typeof given.to === "number")
    return { type: "move", tenant: given.tenant, to: given.to };
  if (given?.type === "backup" && typeof given.directory === "string")
    return { type: "backup", directory: given.directory };
  throw badRequest();
}

function badRequest(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "The server does not know what it is asked for.",
    advice: "Use the command line of the server's own version.",
  });
}

function errorOf(error: unknown): LociError {
  if (LociError.is(error)) return error;
  return new LociError("INTERNAL", {
    message: "The server has failed at it. Its log says where.",
    advice: "Look into the log, and report it.",
  });
}
