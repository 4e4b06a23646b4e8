import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { BlockService, CaptureService, ContextService, MemoryService, StatusService } from "@loci/api-web";
import { endSession, session } from "./session.ts";

const mostAtOnce = 6;
const waiting: (() => void)[] = [];
let running = 0;

const asSession: Interceptor = (next) => async (request) => {
  request.header.set("authorization", `Bearer ${session.value?.token ?? ""}`);
  try {
    return await next(request);
  } catch (error) {
    // What the server itself refuses says so in its details.
    const known = ConnectError.from(error);
    if (known.code === Code.Unauthenticated && known.details.length === 0) endSession();
    throw error;
  }
};

/** A view that asks for much leaves room for the next one. */
const fewAtOnce: Interceptor = (next) => async (request) => {
  if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    request.signal.throwIfAborted();
    return await next(request);
  } finally {
    running--;
    waiting.shift()?.();
  }
};

const transport = createConnectTransport({
  baseUrl: "/api",
  useBinaryFormat: true,
  interceptors: [fewAtOnce, asSession],
  defaultTimeoutMs: 35_000,
});

export const memories: Client<typeof MemoryService> = createClient(MemoryService, transport);
export const contexts: Client<typeof ContextService> = createClient(ContextService, transport);
export const captures: Client<typeof CaptureService> = createClient(CaptureService, transport);
export const blocks: Client<typeof BlockService> = createClient(BlockService, transport);
export const status: Client<typeof StatusService> = createClient(StatusService, transport);

/** Each write happens once, also when its call is repeated. */
export function newRequestId(): string {
  return crypto.randomUUID();
}
