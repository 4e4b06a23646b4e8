import { mkdtempSync, rmSync } from "node:fs";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CallerConnection } from "../src/workers/caller-connection.ts";
import { passOn } from "../src/workers/pass-on.ts";
import { until } from "./test-server.ts";

const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants;

/** A worker and a front with nothing but HTTP/2 in them. */
describe("a call that is passed on", () => {
  let folder: string;
  let socketPath: string;
  let worker: Http2Server;
  let front: Http2Server;
  let caller: ClientHttp2Session;
  let workerSessions: ServerHttp2Session[];
  let unreachable: number;
  let answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "loci-pass-"));
    socketPath = join(folder, "worker.sock");
    workerSessions = [];
    unreachable = 0;
    worker = createServer();
    worker.on("session", (session) => workerSessions.push(session));
    worker.on("stream", (stream, headers) => {
      stream.on("error", () => undefined);
      answer(stream, headers);
    });
    front = createServer();
    front.on("session", (session) => {
      const connection = new CallerConnection(session, 60, () => void unreachable++);
      session.on("stream", (call, headers) => passOn(call, headers, connection.sessionTo(socketPath)));
    });
    worker.listen(socketPath);
    front.listen(0, "127.0.0.1");
    await Promise.all([once(worker, "listening"), once(front, "listening")]);
    caller = connect(`http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  });
  afterEach(() => {
    caller.destroy();
    for (const session of workerSessions) session.destroy();
    front.close();
    worker.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
    const stream = caller.request({ ":method": "POST", ":path": "/loci.v1.X/Y", te: "trailers", ...headers });
    stream.on("error", () => undefined);
    return stream;
  }

  function request(): ClientHttp2Stream {
    return start().end("all of the request");
  }

  /** What came of a call: headers, bytes, trailers, and how it was ended. */
  async function ended(stream: ClientHttp2Stream): Promise<Ended> {
    const found: { headers: IncomingHttpHeaders; trailers: IncomingHttpHeaders } = { headers: {}, trailers: {} };
    const parts: Buffer[] = [];
    stream.on("response", (headers) => void (found.headers = headers));
    stream.on("trailers", (trailers: IncomingHttpHeaders) => void (found.trailers = trailers));
    stream.on("data", (part: Buffer) => parts.push(part));
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    // `once` would give up at a reset.
    stream.on("close", close);
    await closed;
    return { ...found, bytes: Buffer.concat(parts), code: stream.rstCode };
  }

  test("whose worker cannot be connected to ends as one of a server that is away, and the front hears of it", async () => {
    await new Promise((resolve) => worker.close(resolve));
    expect((await ended(request())).headers).toMatchObject({ "grpc-status": "14" });
    expect(unreachable).toBe(1);
    // Else it is not for want of a connection that a call ends.
    worker.listen(socketPath);
    await once(worker, "listening");
    answer = (stream) => stream.session?.destroy();
    await ended(request());
    expect(unreachable).toBe(1);
  });

  test("arrives with its headers and bytes as they are, and so do its answer and trailers", async () => {
    const sent = Buffer.alloc(300_000, "request ");
    const response = Buffer.alloc(2 * 1024 * 1024, "response ");
    let seen: IncomingHttpHeaders = {};
    const taken: Buffer[] = [];
    answer = (stream, headers) => {
      seen = headers;
      stream.on("data", (part: Buffer) => taken.push(part));
      stream.on("end", () => {
        stream.respond(
          { ":status": 200, "content-type": "application/grpc", "x-sent": "a, b" },
          { waitForTrailers: true },
        );
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-bin": "AAEC" }));
        stream.end(response);
      });
    };
    const stream = start({ authorization: "Bearer key", "grpc-timeout": "5S", "x-many-bin": "AA, BB" });
    stream.end(sent);
    const { headers, bytes, trailers, code } = await ended(stream);
    expect(seen).toMatchObject({ ":path": "/loci.v1.X/Y", authorization: "Bearer key", "grpc-timeout": "5S" });
    expect(seen).toMatchObject({ te: "trailers", "x-many-bin": "AA, BB" });
    expect(Buffer.concat(taken).equals(sent)).toBe(true);
    expect(headers).toMatchObject({ ":status": 200, "content-type": "application/grpc", "x-sent": "a, b" });
    expect(bytes.equals(response)).toBe(true);
    expect(JSON.parse(JSON.stringify(trailers))).toEqual({ "grpc-status": "0", "x-bin": "AAEC" });
    expect(code).toBe(NGHTTP2_NO_ERROR);
  });

  test("that is refused by its headers alone stays so", async () => {
    answer = (stream) => stream.respond({ ":status": 200, "grpc-status": "16" }, { endStream: true });
    const stream = start();
    stream.end("not read");
    const { headers, trailers } = await ended(stream);
    expect(headers).toMatchObject({ "grpc-status": "16" });
    expect(JSON.parse(JSON.stringify(trailers))).toEqual({});
  });

  test("takes no more from the worker than its caller reads, and none of it into memory", async () => {
    let written = 0;
    answer = (stream) => {
      stream.respond({ ":status": 200 });
      const part = Buffer.alloc(64 * 1024);
      const write = (): void => {
        while (written < 64 * 1024 * 1024) {
          written += part.length;
          if (!stream.write(part)) {
            stream.once("drain", write);
            return;
          }
        }
        stream.end();
      };
      write();
    };
    const stream = start();
    stream.end();
    await once(stream, "response");
    // Nobody reads. What is written has come to a stop when it is the same for a while.
    let before = -1;
    await until(async () => {
      const isStill = written === before;
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return isStill && written === before;
    });
    expect(written).toBeLessThan(1024 * 1024);
    const { bytes } = await ended(stream);
    expect(bytes.length).toBe(64 * 1024 * 1024);
  });

  test("that is cancelled is cancelled at the worker", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    answer = (stream) => {
      stream.respond({ ":status": 200 });
      stream.on("close", () => resolve(stream.rstCode));
    };
    const stream = start();
    await once(stream, "response");
    stream.close(NGHTTP2_CANCEL);
    expect(await promise).toBe(NGHTTP2_CANCEL);
  });

  test("whose caller has gone ends at the worker, with its connection there", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = (stream) => {
      stream.respond({ ":status": 200 });
      stream.on("close", () => resolve());
    };
    await once(start(), "response");
    caller.destroy();
    await promise;
    await until(() => workerSessions.every(({ destroyed }) => destroyed));
    expect(workerSessions).toHaveLength(1);
  });

  test("that the worker resets is reset in the same way", async () => {
    answer = (stream) => stream.close(NGHTTP2_ENHANCE_YOUR_CALM);
    const { code } = await ended(request());
    expect(code).toBe(NGHTTP2_ENHANCE_YOUR_CALM);
  });

  test("that is cancelled by nobody but a connection that goes is told that the server is unavailable", async () => {
    answer = (stream) => stream.close(NGHTTP2_CANCEL);
    const { headers } = await ended(request());
    expect(headers).toMatchObject({ "grpc-status": "14" });
  });

  test.each([
    ["before it has answered", false],
    ["in the middle of its answer", true],
  ])("whose worker dies %s is told that the server is unavailable", async (_, hasBegun) => {
    answer = (stream) => {
      if (hasBegun) {
        stream.respond({ ":status": 200 });
        stream.write("half of");
      }
      setTimeout(() => workerSessions.forEach((session) => session.socket.destroy()), 50);
    };
    const { headers, trailers, bytes } = await ended(request());
    expect(hasBegun ? trailers : headers).toMatchObject({ "grpc-status": "14" });
    expect(bytes.toString()).toBe(hasBegun ? "half of" : "");
  });

  test("to a worker that is not there is told so, and the next one finds it again", async () => {
    answer = (stream) => stream.respond({ ":status": 200, "grpc-status": "0" }, { endStream: true });
    const path = socketPath;
    socketPath = join(folder, "nobody.sock");
    const { headers } = await ended(request());
    expect(headers).toMatchObject({
      ":status": 200,
      "grpc-status": "14",
      "grpc-status-details-bin": expect.any(String) as unknown,
    });
    socketPath = path;
    expect((await ended(request())).headers).toMatchObject({ "grpc-status": "0" });
  });

  test("that resets many calls disturbs no other connection", async () => {
    answer = (stream) =>
      void setTimeout(() => !stream.destroyed && stream.respond({ ":status": 200 }, { endStream: true }), 20);
    const other = connect(`http://127.0.0.1:${(front.address() as AddressInfo).port}`);
    caller.on("error", () => undefined);
    const calls = setInterval(() => {
      for (let number = 0; number < 100 && !caller.destroyed; number++) start().close(NGHTTP2_CANCEL);
    }, 1);
    for (let number = 0; number < 20; number++) {
      const stream = other.request({ ":method": "POST", ":path": "/loci.v1.X/Y" });
      const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
      expect(headers[":status"]).toBe(200);
    }
    clearInterval(calls);
    other.destroy();
  });
});

interface Ended {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly code: number | undefined;
}
