import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { joinModules } from "./join-modules.ts";
import type { PublicPackage } from "./public-packages.ts";
import { workspaceRoot } from "./public-packages.ts";
import { publishedManifest } from "./published-manifest.ts";

/** A package as it would be published. */
export interface PackedPackage extends PublicPackage {
  readonly tarball: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of the files in it. */
  readonly unpackedSize: number;
  /** The files in it, such as `dist/index.js`. */
  readonly files: readonly string[];
}

/** What is never published and large enough not to be copied. */
const leftBehind: ReadonlySet<string> = new Set(["node_modules", "src", "test"]);

/**
 * Packs packages, which must have been built, into one folder as `npm publish` takes them.
 *
 * Each is packed by npm from a copy with its published manifest and the licence, so that the workspace holds neither twice,
 * and with its modules joined.
 */
export async function pack(packages: readonly PublicPackage[], destination: string): Promise<PackedPackage[]> {
  const staging = mkdtempSync(join(tmpdir(), "loci-packages-"));
  try {
    const copies = await Promise.all(packages.map(async (each) => stage(each, staging)));
    mkdirSync(destination, { recursive: true });
    const answer = execFileSync(
      "npm",
      ["pack", "--json", "--ignore-scripts", "--pack-destination", destination, ...copies],
      {
        encoding: "utf8",
        maxBuffer: 64 * 2 ** 20,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const packed = JSON.parse(answer) as {
      name: string;
      filename: string;
      size: number;
      unpackedSize: number;
      files: { path: string }[];
    }[];
    return packages.map((each) => {
      const found = packed.find(({ name }) => name === each.manifest.name);
      if (found === undefined) throw new Error(`npm packed no ${each.manifest.name}`);
      const { size, unpackedSize, files, filename } = found;
      return {
        ...each,
        tarball: join(destination, filename),
        size,
        unpackedSize,
        files: files.map(({ path }) => path),
      };
    });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function stage(each: PublicPackage, staging: string): Promise<string> {
  const copy = join(staging, each.folder.replace("/", "-"));
  cpSync(join(workspaceRoot, each.folder), copy, {
    recursive: true,
    filter: (file) => !leftBehind.has(basename(file)) && !file.endsWith(".map") && !file.endsWith(".tsbuildinfo"),
  });
  const manifest = publishedManifest(each);
  writeFileSync(join(copy, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(copy, "LICENSE"), readFileSync(join(workspaceRoot, "LICENSE")));
  await joinModules(copy, manifest);
  return copy;
}
