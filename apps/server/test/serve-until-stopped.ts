// A server that looks after itself often, and need not have run for long to end when it has stopped working.
import { defaultConfiguration, runServer } from "../src/index.ts";

const [dataDirectory = "", steadyTime = "0"] = process.argv.slice(2);
try {
  await runServer(
    { ...defaultConfiguration, dataDirectory, listen: { address: "127.0.0.1", port: 0 } },
    { healthInterval: 50, steadyTime: Number(steadyTime) },
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
