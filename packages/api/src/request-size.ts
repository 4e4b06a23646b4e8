/** What a message takes once it is read, besides its text, in bytes: about, as V8 keeps its fields. */
const bytesOfMessage = 512;

const sizes = new WeakMap<object, number>();

/** Notes how large a request is. */
export function noteRequestSize(request: object, bytes: number, messagesWithin: number): void {
  sizes.set(request, bytes + messagesWithin * bytesOfMessage);
}

/** About how many bytes a request takes while it is worked on; 0 for what was not read by `withStrictRequests`. */
export function requestSize(request: unknown): number {
  return typeof request === "object" && request !== null ? (sizes.get(request) ?? 0) : 0;
}
