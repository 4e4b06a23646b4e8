import { connect } from "node:net";
import { findServer, type ServerLocation } from "./served-directory.ts";

/** A server on this machine accepts at once; one that does not is not there or is overwhelmed. */
const patienceMilliseconds = 1_000;

/**
 * The server of a data directory, if it is taking connections. What a server that died has left is told from a server that
 * is there by trying, also when another process has got its process id since.
 *
 * @param dataDirectory default as for `openLoci`
 */
export async function findListeningServer(dataDirectory?: string): Promise<ServerLocation | undefined> {
  const location = findServer(dataDirectory);
  return location !== undefined && (await accepts(location.address)) ? location : undefined;
}

function accepts(address: string): Promise<boolean> {
  const [, host = "", port = ""] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(address) ?? [];
  return new Promise((resolve) => {
    if (host === "" || Number(port) > 65_535) return resolve(false);
    const socket = connect({ host, port: Number(port), timeout: patienceMilliseconds });
    const end = (isAccepted: boolean): void => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
