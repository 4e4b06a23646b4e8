/** What a server asks to wait, in milliseconds. Only in seconds: a date would need its clock. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  return value !== null && /^\d{1,6}(?:\.\d{1,3})?$/.test(value) ? Number(value) * 1000 : undefined;
}
