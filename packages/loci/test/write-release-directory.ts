// Writes the directory of a release, and what it says, into fixtures: run it with the version that is being released.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answersOf, openReleaseDirectory, writeReleaseDirectory } from "./release-directory.ts";

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error("Say which version this is, such as 0.1.");
const directory = mkdtempSync(join(tmpdir(), "loci-release-"));
const fixture = join(import.meta.dirname, "fixtures", `release-${version}`);
try {
  await writeReleaseDirectory(directory);
  {
    await using engine = await openReleaseDirectory(directory);
    writeFileSync(`${fixture}.json`, `${JSON.stringify(await answersOf(engine), undefined, 2)}\n`);
  }
  execFileSync("tar", ["-czf", `${fixture}.tar.gz`, "-C", directory, "."]);
} finally {
  rmSync(directory, { recursive: true });
}
