/** The thread that writes: the only one that waits for the disk. */
import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { openForWriting } from "./connection.ts";
import { GroupWriter } from "./group-writer.ts";
import { toLociError } from "./sqlite-error.ts";
import type { MessageFromWriter, MessageToWriter, WriterSettings } from "./write-operation.ts";

const settings = workerData as WriterSettings;
const port = parentPort;
if (port === null) throw new Error("The writer runs only as a worker thread.");
const send = (message: MessageFromWriter): void => port.postMessage(message);

let opened: DatabaseSync | undefined;
try {
  const database = openForWriting(settings.path);
  opened = database;
  const writer = new GroupWriter(database, settings);
  port.on("message", (message: MessageToWriter) => {
    if (message.type === "group") {
      send({ type: "written", outcomes: writer.write(message.group) });
      return;
    }
    database.close();
    // Nothing else keeps the thread. Deno's port of a worker cannot be closed.
    port.unref();
  });
  send({ type: "opened" });
} catch (error) {
  opened?.close();
  send({ type: "refused", error: toLociError(error, settings.path).toJSON() });
  port.unref();
}
