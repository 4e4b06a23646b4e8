import { type ClientCertificateEntry, certificateNamePattern } from "../security/client-certificates.ts";
import { readEntry, readIdentifier, readRoles, readScopePatterns } from "./read-rights.ts";
import { describe, refuseSetting, type SettingPlace } from "./setting.ts";

const fields = ["name", "tenant", "subject", "roles", "scopes"];

/** @throws LociError `INVALID_CONFIGURATION`, naming the entry and its field */
export function readClientCertificates(given: unknown, file: string): readonly ClientCertificateEntry[] {
  const heading = "[[client_certificates]]";
  if (!Array.isArray(given))
    return refuseSetting(
      { name: "client_certificates", file },
      "must be a list of tables",
      `Write ${heading} above each.`,
    );
  const entries = given.map((one: unknown, index): ClientCertificateEntry => {
    const place = { name: `client_certificates[${index}]`, file };
    const entry = readEntry(one, place, { fields, heading });
    const at = (field: string): SettingPlace => ({ ...place, name: `${place.name}.${field}` });
    return {
      name: readName(entry["name"], at("name")),
      tenant: readIdentifier(entry["tenant"], at("tenant")),
      subject: entry["subject"] === undefined ? undefined : readIdentifier(entry["subject"], at("subject")),
      roles: readRoles(entry["roles"], at("roles")),
      scopes: readScopePatterns(entry["scopes"], at("scopes")),
    };
  });
  const twice = entries.findIndex(({ name }, index) => entries.findIndex((other) => other.name === name) < index);
  if (twice >= 0)
    refuseSetting(
      { name: `client_certificates[${twice}].name`, file },
      `is ${entries[twice]?.name}, like another's`,
      "Bind each name once.",
    );
  return entries;
}

function readName(given: unknown, place: SettingPlace): string {
  if (typeof given === "string" && certificateNamePattern.test(given)) return given;
  return refuseSetting(
    place,
    given === undefined ? "is missing" : `is ${describe(given)}, which is no name of a certificate`,
    "Use DNS:, URI:, CN: or SHA256: and what follows it in the certificate, such as DNS:agents.example.",
  );
}
