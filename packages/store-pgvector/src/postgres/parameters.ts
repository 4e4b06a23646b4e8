/** Collects the values of one statement. Its text only ever holds their numbers. */
export class Parameters {
  readonly values: unknown[] = [];

  /** @returns the placeholder that stands for the value, such as `$3` */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
