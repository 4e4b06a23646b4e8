// Collects what the built `loci` command needs to run into a new folder: node tools/container/collect.ts /opt/loci
import { resolve } from "node:path";
import { collectProgram } from "./collect-program.ts";

const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error("Say where to: node tools/container/collect.ts FOLDER");
  process.exitCode = 2;
} else {
  const { packages, bytes } = collectProgram(resolve(import.meta.dirname, "../.."), "apps/cli", resolve(target));
  console.log(`${packages} packages, ${Math.round(bytes / 1024 / 1024)} MiB`);
}
