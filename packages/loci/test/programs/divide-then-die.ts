// Divides a data directory anew, and dies when so many tenants were copied.
import { divideAnew } from "@loci/loci";

const [, , dataDirectory = "", shards = "", copied = ""] = process.argv;
await divideAnew({
  dataDirectory,
  shards: Number(shards),
  onProgress: ({ doing, done }) =>
    doing === "copying" && done === Number(copied) && process.kill(process.pid, "SIGKILL"),
});
