/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value));
}
