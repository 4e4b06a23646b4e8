import type { Socket } from "node:net";

/** How long a connection may say nothing, and a handshake of TLS may take, in milliseconds. */
export const firstWordsTime = 10_000;

/** Closes a connection that has said nothing after the time, in milliseconds: who calls speaks at once, and its place is one that others want. */
export function closeIfSilent(connection: Socket, time: number): void {
  const waiting = setTimeout(() => void (connection.bytesRead === 0 && connection.destroy()), time).unref();
  connection.once("close", () => clearTimeout(waiting));
}
