import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { idOfApiKey } from "@loci/api";
import { LociError } from "@loci/loci";
import { parse } from "smol-toml";
import { z } from "zod";

/**
 * Signatures that an issuer makes and nobody else can: with one of the others, `none` or a key that both sides share, whoever reads the
 * public key could sign.
 */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"] as const;

const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => isSafe(new URL(text)), "must be https:// off this machine");

const tenant = z
  .strictObject({
    claim_value: z.string().optional(),
    api_key_file: z.string().optional(),
    api_key_variable: z.string().optional(),
  })
  .refine(
    ({ api_key_file: file, api_key_variable: variable }) => (file === undefined) !== (variable === undefined),
    "must have either api_key_file or api_key_variable",
  );

const form = z.strictObject({
  resource: address,
  issuers: z
    .array(
      z.strictObject({
        issuer: z.string().min(1),
        jwks_uri: address,
        algorithms: z.array(z.enum(algorithms)).min(1).default(["RS256", "ES256", "EdDSA"]),
        scopes: z.array(z.string().refine(hasOneClaimAtMost, "has more than one claim")).min(1),
        tenant_claim: z.string().optional(),
        tenants: z.array(tenant).min(1),
      }),
    )
    .min(1),
});

/** Who may issue access tokens for this server, and what their claims open. */
export interface OAuthConfiguration {
  /** The address of this server as its callers know it: what a token must be issued for. */
  readonly resource: URL;
  readonly issuers: readonly OAuthIssuer[];
}

export interface OAuthIssuer {
  readonly issuer: string;
  /** Where its public keys are. */
  readonly keys: URL;
  readonly algorithms: readonly string[];
  /** Scopes with a claim in braces, such as `user:{sub}`. One whose claim is a list stands for as many scopes. */
  readonly scopes: readonly string[];
  /** The claim that says whose data it is. Absent: there is one tenant. */
  readonly tenantClaim: string | undefined;
  /** API keys of Loci by the value of that claim; without the claim the one under `""`. */
  readonly apiKeys: ReadonlyMap<string, string>;
}

/**
 * Reads a TOML file. Files that it names are beside it.
 *
 * @throws LociError `INVALID_CONFIGURATION`; no message holds a key
 */
export function readOAuthFile(file: string, environment: NodeJS.ProcessEnv = process.env): OAuthConfiguration {
  const read = form.safeParse(parsedFile(file));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refuse(file, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  const issuers = read.data.issuers.map((given): OAuthIssuer => ({
    issuer: given.issuer,
    keys: new URL(given.jwks_uri),
    algorithms: given.algorithms,
    scopes: given.scopes,
    tenantClaim: given.tenant_claim,
    apiKeys: new Map(
      given.tenants.map(({ claim_value: value, ...place }) => {
        if ((value === undefined) !== (given.tenant_claim === undefined))
          throw refuse(file, "issuers: tenant_claim and claim_value are there together, or neither is");
        return [value ?? "", readKey(file, place, environment)];
      }),
    ),
  }));
  return { resource: new URL(read.data.resource), issuers };
}

function parsedFile(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw refuse(file, cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause));
  }
}

function readKey(
  file: string,
  { api_key_file: path, api_key_variable: variable = "" }: z.infer<typeof tenant>,
  environment: NodeJS.ProcessEnv,
): string {
  // Beside the file that names it, as all paths in settings are meant.
  const place = path === undefined ? `the environment variable ${variable}` : resolve(dirname(file), path);
  const key = (path === undefined ? environment[variable] : readKeyFile(file, place))?.trim() ?? "";
  if (idOfApiKey(key) !== undefined) return key;
  throw refuse(
    file,
    `${place} ${key === "" ? "is empty or not set" : "holds what is no API key"}`,
    "Put the API key of the tenant there as loci key create printed it, and nothing else.",
  );
}

/** What is in the file is nobody's business. */
function readKeyFile(file: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
    throw refuse(file, `api_key_file ${path} cannot be read (${code})`, "Name a file with the API key of the tenant.");
  }
}

/** What is sent to a program of this machine is read by nobody on the way. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

function refuse(file: string, problem: string, advice = "Write it as the README of @loci/mcp shows."): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${file}: ${problem}.`,
    field: "--oauth",
    resource: file,
    advice,
  });
}

/** `user:{sub}` has one, `global` none. */
function hasOneClaimAtMost(scope: string): boolean {
  const braces = scope.replaceAll(/[^{}]+/gu, "");
  return braces === "" || (braces === "{}" && !scope.includes("{}"));
}
