import { readFileSync } from "node:fs";

const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
  console.log(`loci ${String(manifest.version)}`);
}
