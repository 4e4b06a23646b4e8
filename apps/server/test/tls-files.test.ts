import { createPrivateKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readTlsFiles, type TlsFiles } from "../src/security/tls-files.ts";
import { clientFile, serverFile } from "./certificate-files.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "loci-tls-files-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const text = (path: string): string => readFileSync(path, "utf8");

/** A file with that text, under a name that the messages have to say. */
function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const encrypted = (): string =>
  createPrivateKey(text(serverFile("server.key")))
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "open sesame" })
    .toString();

const right: TlsFiles = { certificateFile: serverFile("server.crt"), privateKeyFile: serverFile("server.key") };

test("files of one certificate are taken, also with an authority of the callers and with what stands around them", () => {
  const certificateFile = file(
    "chain.crt",
    `Bag Attributes\n${text(serverFile("server.crt"))}${text(serverFile("authority.crt"))}`,
  );
  const contents = readTlsFiles({ ...right, certificateFile, clientCaFile: clientFile("authority.crt") });
  expect(contents.certificate.toString()).toBe(text(certificateFile));
  expect(contents.clientCa?.toString()).toBe(text(clientFile("authority.crt")));
});

test.each<[string, () => Partial<TlsFiles>, keyof TlsFiles, string, string]>([
  [
    "an empty certificate",
    () => ({ certificateFile: file("a.crt", "") }),
    "certificateFile",
    "holds no certificate in PEM",
    "certificate there",
  ],
  [
    "a certificate cut off",
    () => ({ certificateFile: file("a.crt", text(right.certificateFile).slice(0, 300)) }),
    "certificateFile",
    "holds no certificate in PEM",
    "certificate there",
  ],
  [
    "a key for a certificate",
    () => ({ certificateFile: right.privateKeyFile }),
    "certificateFile",
    "holds no certificate in PEM",
    "certificate there",
  ],
  [
    "an empty key",
    () => ({ privateKeyFile: file("a.key", "") }),
    "privateKeyFile",
    "holds no private key in PEM",
    "key there",
  ],
  [
    "a certificate for a key",
    () => ({ privateKeyFile: right.certificateFile }),
    "privateKeyFile",
    "holds no private key in PEM",
    "key there",
  ],
  [
    "a key with a passphrase",
    () => ({ privateKeyFile: file("a.key", encrypted()) }),
    "privateKeyFile",
    "encrypted with a passphrase",
    "openssl pkey -in",
  ],
  [
    "a key of another certificate",
    () => ({ privateKeyFile: serverFile("client.key") }),
    "certificateFile",
    "does not belong to the private key in",
    "made together",
  ],
  [
    "its authority first",
    () => ({ certificateFile: file("a.crt", text(serverFile("authority.crt")) + text(serverFile("server.crt"))) }),
    "certificateFile",
    "does not begin with the server's own certificate",
    "first",
  ],
  [
    "an empty file for the authority of callers",
    () => ({ clientCaFile: file("clients.pem", "") }),
    "clientCaFile",
    "holds no certificate in PEM",
    "authority",
  ],
  [
    "a key for the authority of callers",
    () => ({ clientCaFile: right.privateKeyFile }),
    "clientCaFile",
    "holds no certificate in PEM",
    "authority",
  ],
])("%s: which file it is, what is wrong with it and what to do", (...[, change, named, problem, advice]) => {
  const files = { ...right, ...change() };
  const error = errorOf(files);
  expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", resource: files[named] });
  expect(error.message).toContain(problem);
  expect(error.message).toContain(files[named]);
  expect(error.message).not.toContain("routines::");
  expect(error.advice).toContain(advice);
});

function errorOf(files: TlsFiles): LociError {
  try {
    readTlsFiles(files);
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("they should have been refused");
}
