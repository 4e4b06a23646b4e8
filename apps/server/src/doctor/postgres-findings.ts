import { inspectPostgres, type PostgresLedgerFacts } from "@loci/loci";
import { configuredLedger } from "../configuration/configured-ledger.ts";
import type { ServerConfiguration } from "../configuration/server-configuration.ts";
import { fail, failWith, type Finding, ok, warn } from "./finding.ts";

const minute = 60_000;

/** How a ledger in PostgreSQL is, on a connection as the role that serves. Changes nothing. */
export async function postgresFindings(configuration: ServerConfiguration): Promise<readonly Finding[]> {
  try {
    const { ledger } = configuredLedger(configuration);
    if (ledger === undefined || ledger === "sqlite") return [];
    const facts = await inspectPostgres(ledger);
    return [schema(facts, configuration), clock(facts)];
  } catch (error) {
    return [failWith("ledger", error)];
  }
}

function schema(facts: PostgresLedgerFacts, { ledger: { postgres } }: ServerConfiguration): Finding {
  const { where, serverVersion, version, newestVersion, bypassesRowSecurity } = facts;
  if (bypassesRowSecurity)
    return fail(
      "ledger",
      `The role at ${where} bypasses row-level security, which keeps tenants apart.`,
      "Serve as a role without SUPERUSER and BYPASSRLS, or name one to become in ledger.role.",
    );
  if (version === newestVersion)
    return ok("ledger", `Schema version ${version} at ${where}, PostgreSQL ${serverVersion}.${encryptedUnder(facts)}`);
  if (version === 0)
    return postgres?.ownerConnectionString === undefined
      ? fail(
          "ledger",
          `This role sees no tables of Loci at ${where}.`,
          "Give the settings the owner's connection string: a start with it makes them and gives this role its rights. Or check the database and `[ledger] schema`.",
        )
      : warn(
          "ledger",
          `This role sees no tables of Loci at ${where}. The next start makes them.`,
          "If they should be there, check the database and `[ledger] schema`.",
        );
  const problem = `The schema at ${where} has version ${version}, and this version of Loci needs ${newestVersion}.`;
  return postgres?.ownerConnectionString === undefined
    ? fail(
        "ledger",
        problem,
        "Migrate it first: give the settings the owner's connection string, or let a deployment do it.",
      )
    : warn(
        "ledger",
        `${problem} The next start migrates it.`,
        "Older servers that start afterwards refuse it: have a backup.",
      );
}

function encryptedUnder({ keyIds }: PostgresLedgerFacts): string {
  return keyIds.length === 0 ? "" : ` Encrypted under ${keyIds.map((id) => JSON.stringify(id)).join(", ")}.`;
}

function clock({ clockAhead }: PostgresLedgerFacts): Finding {
  const seconds = Math.round(Math.abs(clockAhead) / 1_000);
  if (Math.abs(clockAhead) <= minute) return ok("clock", "It goes with the database's.");
  return warn(
    "clock",
    `It is ${seconds} s ${clockAhead > 0 ? "ahead of" : "behind"} the database's.`,
    "Set it: keys expire and deadlines end by this machine's clock, everything else by the database's.",
  );
}
