/** Notes how long each step of a program takes. */
export class StepClock {
  readonly #steps: { readonly name: string; readonly milliseconds: number }[] = [];

  async time<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await step();
    this.#steps.push({ name, milliseconds: performance.now() - start });
    return result;
  }

  /** One line a step, in the order they ended. */
  lines(): readonly string[] {
    return this.#steps.map(({ name, milliseconds }) => StepClock.line(name, milliseconds));
  }

  static line(name: string, milliseconds: number): string {
    return `${name.padEnd(28)} ${milliseconds.toFixed(1).padStart(9)} ms`;
  }
}
