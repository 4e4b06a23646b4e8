import { type Loci, LociError } from "@loci/domain";
import { onTestFinished } from "vitest";
import { connectLoci, type ConnectOptions } from "../src/index.ts";
import { type Handler, startTestServer, type TestServer } from "./test-server.ts";

/** A server with a client of it, both gone when the test ends. */
export async function connected(
  handler: Handler,
  options: Partial<ConnectOptions> = {},
): Promise<{ readonly loci: Loci; readonly server: TestServer }> {
  const server = await startTestServer(handler);
  const loci = client({ address: server.address, ...options });
  onTestFinished(server.stop);
  return { loci, server };
}

/** A client that is closed when the test ends. */
export function client(options: ConnectOptions): Loci {
  const loci = connectLoci(options);
  onTestFinished(() => loci.close());
  return loci;
}

/** What a call is rejected with. */
export async function errorOf(call: Promise<unknown>): Promise<LociError> {
  try {
    await call;
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("the call was not rejected");
}
