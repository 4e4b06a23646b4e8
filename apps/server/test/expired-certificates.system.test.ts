import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectLoci } from "@loci/client";
import { LociError } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClientCertificateEntry, ServerConfiguration } from "../src/index.ts";
import { ca, tls } from "./certificate-files.ts";
import { missingOpenssl, ShortLivedAuthority } from "./short-lived-certificate.ts";
import { startTestServer, testKey, type TestServer } from "./test-server.ts";
import { startWorkerServer, tenantsOfWorkers } from "./worker-server.ts";

/** What a certificate is valid for, in milliseconds: until then it has to be made, and a first call answered. */
const life = 8_000;
const missing = missingOpenssl();

describe.skipIf(missing !== undefined)(
  `a certificate that ends while its connection is open (${missing ?? "openssl"})`,
  () => {
    let folder: string;
    let authority: ShortLivedAuthority;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "loci-expired-certificates-"));
      authority = new ShortLivedAuthority(join(folder, "authority"));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const key = testKey({ id: "ci", tenant: tenantsOfWorkers[1] });
    const bound: readonly ClientCertificateEntry[] = tenantsOfWorkers.map((tenant, worker) => ({
      name: `CN:agents-${worker}`,
      tenant,
      roles: ["read", "write"],
      scopes: ["*"],
    }));
    const configuration = (name: string): Partial<ServerConfiguration> => ({
      tls: { ...tls, clientCaFile: authority.certificateFile },
      apiKeys: [key.entry],
      clientCertificates: bound,
      dataDirectory: join(folder, name),
      index: { use: "embedded" },
    });
    const starts: Readonly<Record<string, () => Promise<TestServer>>> = {
      "one process": () => startTestServer({ configuration: configuration("one") }),
      "two workers": () => startWorkerServer({ configuration: configuration("two") }),
    };

    test.each(Object.keys(starts))("opens nothing any more, whoever asks by it is told why: %s", async (which) => {
      await using server = await starts[which]!();
      const address = `localhost:${server.port}`;
      const end = Math.ceil((Date.now() + life) / 1_000) * 1_000;
      // Of the tenant of each worker.
      const clients = bound.map((_, worker) =>
        connectLoci({ address, tls: { ca, ...authority.sign(`agents-${worker}`, end + worker) } }),
      );
      const byKey = connectLoci({ address, apiKey: key.key, tls: { ca, ...authority.sign("agents-1", end + 2) } });
      try {
        const open = await Promise.all([...clients, byKey].map((loci) => textsOf(loci)));
        expect(open).toEqual([[], [], []]);
        const watches = clients.map(async (loci) => {
          const watch = loci.memories.watch({ scopes: ["global"] });
          for await (const change of watch) expect(change.type).toBe("reached");
        });
        const ends = Promise.all(watches.map((watching) => failureOf(watching)));
        expect(Date.now()).toBeLessThan(end);

        for (const ended of await ends) {
          expect(Date.now()).toBeGreaterThanOrEqual(end);
          expect(ended).toMatchObject({ reason: "CREDENTIAL_EXPIRED" });
        }
        await sleep(Math.max(0, end + 100 - Date.now()));
        for (const loci of clients)
          expect(await failureOf(textsOf(loci))).toMatchObject({
            reason: "CREDENTIAL_EXPIRED",
            message: "The certificate of the client has expired since it connected.",
            advice: "Connect with a new one.",
          });
        // A credential of its own is not the certificate's, and the connection is open still.
        expect(await textsOf(byKey)).toEqual([]);
      } finally {
        for (const loci of [...clients, byKey]) await loci.close();
      }
      await using late = connectLoci({
        address,
        tls: { ca, ...authority.sign("agents-0", end + 3) },
        timeoutMilliseconds: 2_000,
      });
      expect(await failureOf(textsOf(late))).toMatchObject({ reason: "SERVER_UNAVAILABLE" });
      // One that is valid again is let in.
      await using again = connectLoci({ address, tls: { ca, ...authority.sign("agents-0", Date.now() + 3_600_000) } });
      expect(await textsOf(again)).toEqual([]);
    });
  },
);

async function textsOf(loci: ReturnType<typeof connectLoci>): Promise<readonly string[]> {
  const { memories } = await loci.memories.list({ scopes: ["global"] });
  return memories.map(({ text }) => text);
}

async function failureOf(call: Promise<unknown>): Promise<LociError> {
  return call.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error: unknown) => {
      if (LociError.is(error)) return error;
      throw error;
    },
  );
}
