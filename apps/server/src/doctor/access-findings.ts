import { statSync } from "node:fs";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { certificateTerms, isValid, weakestTerm } from "../security/certificate-terms.ts";
import { checkListenPolicy } from "../security/listen-policy.ts";
import { readTlsFiles } from "../security/tls-files.ts";
import { fail, failWith, type Finding, ok, warn } from "./finding.ts";

const day = 24 * 60 * 60 * 1_000;
const soon = 30 * day;

/** Who may call, and whether they still may next month. */
export function accessFindings(configuration: ServerConfiguration, now: number): readonly Finding[] {
  const { listen, tls, apiKeys, clientCertificates } = configuration;
  try {
    const credentials = apiKeys.length + clientCertificates.length;
    checkListenPolicy(listen.address, { tls: tls !== undefined, credentials });
  } catch (error) {
    return [failWith("keys", error)];
  }
  return [keys(configuration, now), ...certificate(configuration, now)];
}

function keys({ apiKeys, clientCertificates }: ServerConfiguration, now: number): Finding {
  if (apiKeys.length === 0 && clientCertificates.length > 0)
    return ok("keys", `None are configured: ${clientCertificates.length} names of client certificates are.`);
  if (apiKeys.length === 0)
    return ok("keys", "None are configured: the server's user alone calls, with the key in server.json.");
  const ending = apiKeys.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now + soon);
  const over = ending.filter(({ expiresAt = 0 }) => expiresAt <= now);
  if (over.length === apiKeys.length)
    return fail("keys", "Every API key has expired.", "loci key create --tenant NAME prints a new one.");
  const twins = apiKeys.find(({ id, hash }) => apiKeys.some((other) => other.hash === hash && other.id !== id));
  if (twins !== undefined)
    return warn(
      "keys",
      `${apiKeys.flatMap(({ id, hash }) => (hash === twins.hash ? [id] : [])).join(" and ")} have one hash: it is one key, which only the entry with its own id lets in.`,
      "Make a key for each with loci key create.",
    );
  if (ending.length === 0) return ok("keys", `${apiKeys.length} API keys, none of which expires within 30 days.`);
  const shown = ending.map(({ id, expiresAt = 0 }) => `${id} (${new Date(expiresAt).toISOString().slice(0, 10)})`);
  return warn(
    "keys",
    `API keys that expire within 30 days or have expired: ${shown.join(", ")}.`,
    "Give their users new ones.",
  );
}

function certificate({ tls }: ServerConfiguration, now: number): readonly Finding[] {
  if (tls === undefined) return [];
  try {
    const { certificate: server, clientCa } = readTlsFiles(tls);
    const files = [
      { file: tls.certificateFile, pem: server },
      ...(tls.clientCaFile === undefined || clientCa === undefined ? [] : [{ file: tls.clientCaFile, pem: clientCa }]),
    ];
    const weakest = files.flatMap(({ file, pem }) => {
      const term = weakestTerm(certificateTerms(pem), now);
      return term === undefined ? [] : [{ file, term, validTo: shownDate(term.end) }];
    });
    const notValid = weakest.find(({ term }) => !isValid(term, now));
    if (notValid !== undefined) {
      const { file, term, validTo } = notValid;
      const period = `valid from ${shownDate(term.begin)} to ${validTo}`;
      return [fail("tls", `${file} (${term.subject}) is ${period}.`, `Put a valid one there. ${takenIn}`)];
    }
    const ending = weakest.find(({ term }) => term.end - now < soon);
    if ((statSync(tls.privateKeyFile).mode & 0o007) !== 0)
      return [
        fail("tls", `Every user of this machine may read ${tls.privateKeyFile}.`, `chmod 640 ${tls.privateKeyFile}`),
      ];
    if (ending !== undefined) {
      const { file, term, validTo } = ending;
      return [warn("tls", `${file} (${term.subject}) is valid to ${validTo}.`, `Renew it. ${takenIn}`)];
    }
    return [ok("tls", `The certificate is valid to ${weakest[0]?.validTo ?? "an unknown time"}.`)];
  } catch (error) {
    return [failWith("tls", error)];
  }
}

const takenIn = "A running server takes it in by itself, for connections from then on.";

function shownDate(instant: number): string {
  return new Date(instant).toISOString();
}
