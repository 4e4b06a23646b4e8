import { once } from "node:events";
import { connect } from "node:tls";
import { ca } from "./certificate-files.ts";

/** The common name of what a server on this machine shows a new connection. */
export async function shownCertificate(port: number): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, ca, servername: "localhost", ALPNProtocols: ["h2"] });
  await once(socket, "secureConnect");
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}
