import type { ServerResponse } from "node:http";

/** Of one key and its tokens. */
const mostOfOwner = 64;

/** Calls whose answer was not taken yet. Each may be some megabytes that are kept for its reader. */
export class CallsUnderWay {
  readonly #ofOwners = new Map<string, number>();

  /** @returns whether there may be one more; then it is counted until its response is over */
  begin(owner: string, response: ServerResponse): boolean {
    const count = this.#ofOwners.get(owner) ?? 0;
    if (count >= mostOfOwner) return false;
    this.#ofOwners.set(owner, count + 1);
    response.once("close", () => this.#end(owner));
    return true;
  }

  #end(owner: string): void {
    const left = (this.#ofOwners.get(owner) ?? 0) - 1;
    if (left > 0) this.#ofOwners.set(owner, left);
    else this.#ofOwners.delete(owner);
  }
}
