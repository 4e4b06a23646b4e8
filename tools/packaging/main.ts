/**
 * Writes what is published into `.packages`: `library` is what `@loci/loci` and `@loci/client` take, `programs` what the `loci`
 * command takes besides, `agents` what agents' frameworks take beside the library, `stores` the indexes that not everybody
 * installs. `--release` refuses what must not be published yet.
 */
import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import { pack } from "./pack.ts";
import { publicPackages, rootManifest, withWhatTheyNeed, workspaceRoot } from "./public-packages.ts";

const destination = join(workspaceRoot, ".packages");
const library = namesOf(withWhatTheyNeed(["@loci/loci", "@loci/client"]));
const programs = namesOf(withWhatTheyNeed(["@loci/cli"]));
const agents = namesOf(
  publicPackages().filter(({ manifest: { name, dependencies = {} } }) =>
    [name, ...Object.keys(dependencies)].includes("@loci/agent"),
  ),
);

checkReleasable();
rmSync(destination, { recursive: true, force: true });
const folders = Map.groupBy(publicPackages(), ({ manifest: { name } }) =>
  library.has(name) ? "library" : programs.has(name) ? "programs" : agents.has(name) ? "agents" : "stores",
);
for (const [folder, packages] of folders) {
  const packed = await pack(packages, join(destination, folder));
  for (const { tarball, size, unpackedSize } of packed)
    console.log(`${relative(workspaceRoot, tarball)}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}`);
}

function namesOf(packages: ReturnType<typeof publicPackages>): ReadonlySet<string> {
  return new Set(packages.map(({ manifest }) => manifest.name));
}

function checkReleasable(): void {
  const { url } = rootManifest["repository"] as { url: string };
  if (process.argv.includes("--release") && new URL(url.replace("git+", "")).hostname.endsWith(".example"))
    throw new Error(
      `The root package.json names ${url} as the repository, which is no address. Write the real one there.`,
    );
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000).toLocaleString("en")} kB`;
}
