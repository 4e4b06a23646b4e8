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
      return [fail("tls", `${file} (${term.subject}) is ${period}.`, "Put a valid one there, and restart.")];
    }
    const ending = weakest.find(({ term }) => term.end - now < soon);
    if (ending !== undefined)
      return [
        warn("tls", `${ending.file} (${ending.term.subject}) is valid to ${ending.validTo}.`, "Renew it, and restart."),
      ];
    if ((statSync(tls.privateKeyFile).mode & 0o007) !== 0)
      return [
        fail("tls", `Every user of this machine may read ${tls.privateKeyFile}.`, `chmod 640 ${tls.privateKeyFile}`),
      ];
    return [ok("tls", `The certificate is valid to ${weakest[0]?.validTo ?? "an unknown time"}.`)];
  } catch (error) {
    return [failWith("tls", error)];
  }
}

function shownDate(instant: number): string {
  return new Date(instant).toISOString();
}
