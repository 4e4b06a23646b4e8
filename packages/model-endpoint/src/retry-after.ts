/** What a server asks to wait, in milliseconds: in seconds, or until a time of its own clock, which it tells as well. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}
