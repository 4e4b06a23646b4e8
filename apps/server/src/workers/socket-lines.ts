import type { Socket } from "node:net";
import { createInterface, type Interface } from "node:readline";

/**
 * The lines that come by a connection. What goes wrong on it ends them; when nobody asks for them any more, it is the connection's
 * alone, where Node would end the process.
 */
export function linesOf(socket: Socket): Interface {
  const lines = createInterface({ input: socket });
  lines.on("error", () => undefined);
  return lines;
}
