import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Logger } from "../src/logging/logger.ts";
import { certificateTerms } from "../src/security/certificate-terms.ts";
import { CertificateWatch } from "../src/security/certificate-watch.ts";
import { ServedCertificates } from "../src/security/served-certificates.ts";
import type { TlsFiles } from "../src/security/tls-files.ts";
import { clientFile, serverFile, tls } from "./certificate-files.ts";
import { startTestServer, testKey, type LogLine } from "./test-server.ts";

const day = 24 * 60 * 60 * 1_000;
const serverOnly = { certificateFile: tls.certificateFile, privateKeyFile: tls.privateKeyFile };
const [term] = certificateTerms(readFileSync(tls.certificateFile));
const { begin, end } = term!;

const aboutCertificates = (log: readonly LogLine[]): readonly (readonly [string, string, unknown])[] =>
  log
    .filter(({ event }) => event.startsWith("certificate"))
    .map(({ level, event, ...fields }) => [level, event, fields["file"]]);

function loggerOf(log: LogLine[]): Logger {
  return new Logger("info", (line) => log.push(JSON.parse(line) as LogLine));
}

/** Files that nobody looks at again. */
function served(files: TlsFiles, log: LogLine[]): ServedCertificates {
  const certificates = new ServedCertificates({ files, logger: loggerOf(log), clock: Date.now });
  certificates.close();
  return certificates;
}

describe("a server says in its log that its certificate", () => {
  test.each([
    ["is not valid yet", begin - 1, ["error", "certificate not valid yet"]],
    ["ends within 14 days", end - 14 * day, ["warn", "certificate expires soon"]],
    ["has ended", end, ["error", "certificate expired"]],
  ])("%s, at its start and when it is asked to look again", async (_, now, line) => {
    await using server = await startTestServer({
      configuration: { tls: serverOnly, apiKeys: [testKey().entry] },
      clock: () => now,
    });
    const told = [...line, tls.certificateFile];
    expect(aboutCertificates(server.log())).toEqual([told]);
    server.reload();
    expect(aboutCertificates(server.log())).toEqual([told, told]);
    expect(server.log().find(({ event }) => event === line[1])).toMatchObject({
      subject: "CN=server",
      validTo: new Date(end).toISOString(),
      advice: expect.stringContaining("by itself") as string,
    });
  });

  test("nothing of one that is valid for longer", async () => {
    await using server = await startTestServer({
      configuration: { tls, apiKeys: [testKey().entry] },
      clock: () => end - 14 * day - 1,
    });
    expect(aboutCertificates(server.log())).toEqual([]);
  });
});

describe("certificates that are watched", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loci-certificate-watch-"))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
    vi.useRealTimers();
  });

  test("are looked at once a day", () => {
    vi.useFakeTimers();
    const log: LogLine[] = [];
    let now = end - 30 * day;
    const watch = new CertificateWatch({
      certificates: served(serverOnly, log),
      logger: loggerOf(log),
      clock: () => now,
    });
    vi.advanceTimersByTime(day);
    expect(log).toEqual([]);
    now = end - day;
    vi.advanceTimersByTime(day);
    expect(aboutCertificates(log)).toEqual([["warn", "certificate expires soon", tls.certificateFile]]);
    watch.close();
    vi.advanceTimersByTime(10 * day);
    expect(log).toHaveLength(1);
  });

  test("are all of a chain, and the authority of the callers", () => {
    const chain = join(folder, "chain.crt");
    writeFileSync(
      chain,
      Buffer.concat([readFileSync(serverFile("server.crt")), readFileSync(clientFile("expired.crt"))]),
    );
    const log: LogLine[] = [];
    const files = { ...serverOnly, certificateFile: chain, clientCaFile: clientFile("expired.crt") };
    new CertificateWatch({
      certificates: served(files, log),
      logger: loggerOf(log),
      clock: () => end - 30 * day,
    }).close();
    expect(aboutCertificates(log)).toEqual([
      ["error", "certificate expired", chain],
      ["error", "certificate expired", clientFile("expired.crt")],
    ]);
  });
});
