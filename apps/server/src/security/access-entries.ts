import type { ApiKeyEntry } from "./api-key.ts";
import type { ClientCertificateEntry } from "./client-certificates.ts";

/** Who is let in. What of a server's configuration is taken in again while it runs. */
export interface AccessEntries {
  readonly apiKeys: readonly ApiKeyEntry[];
  readonly clientCertificates: readonly ClientCertificateEntry[];
}
