import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageFile } from "./page-files.ts";

export function sendFile(request: IncomingMessage, response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) return refuse(response, 404, "not_found", "There is nothing here.");
  if (request.method !== "GET") return refuse(response, 405, "unimplemented", "Files are read by GET.");
  const isCompressed = /\bbr\b/.test(request.headers["accept-encoding"]?.toString() ?? "");
  response
    .writeHead(200, {
      "content-type": file.contentType,
      vary: "accept-encoding",
      ...(isCompressed ? { "content-encoding": "br" } : {}),
    })
    .end(isCompressed ? file.compressed : file.bytes);
}

/** As calls are refused by Connect, so that the page and `curl` read one kind of error. */
export function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { "content-type": "application/json", connection: "close" })
    .end(JSON.stringify({ code, message }));
}
