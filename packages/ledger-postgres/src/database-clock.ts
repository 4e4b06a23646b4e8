/**
 * The time in milliseconds since 1970 as SQL: that of the database, so that all servers go by one clock, or what a test
 * gives as the parameter.
 */
export function now(parameter: string): string {
  return `coalesce(${parameter}::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;
}
