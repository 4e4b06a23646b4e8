import { LociError } from "@loci/domain";

/**
 * The five characters that say why PostgreSQL refused, of its own error or of the `LociError` that was made from it. `undefined`
 * when it was not PostgreSQL who did. See https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
export function sqlStateOf(error: unknown): string | undefined {
  if (LociError.is(error)) return error.cause === undefined ? undefined : sqlStateOf(error.cause);
  if (!(error instanceof Error) || !("code" in error) || !("severity" in error)) return undefined;
  return typeof error.code === "string" && error.code.length === 5 ? error.code : undefined;
}
