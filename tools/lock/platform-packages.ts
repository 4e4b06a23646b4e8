/**
 * Tools with native code name one optional package per platform. `npm install` leaves those out of the lock that the
 * registry of the moment does not serve, and `npm ci` then refuses the lock as incomplete, on every platform.
 * An entry with the platform is enough for both: npm skips it elsewhere without asking the registry.
 */
export interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockEntries = Readonly<Record<string, LockEntry>>;

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"];
const libraries: Readonly<Record<string, string>> = {
  gnu: "glibc",
  gnueabihf: "glibc",
  musl: "musl",
  musleabihf: "musl",
};

/** The entries that optional dependencies name and the lock does not have, by their place in `node_modules`. */
export function missingEntries(entries: LockEntries): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [place, { dev, optionalDependencies = {} }] of Object.entries(entries)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      if (places(place, name).some((candidate) => candidate in entries)) continue;
      const { os, cpu, libc } = platformOf(name);
      // In the order in which npm writes the fields, so that it does not rewrite the entry.
      missing[`node_modules/${name}`] = {
        version: range.replace(/^[\^~]/, ""),
        ...(cpu.length > 0 ? { cpu } : {}),
        ...(dev === true ? { dev } : {}),
        ...(libc.length > 0 ? { libc } : {}),
        optional: true,
        os,
      };
    }
  }
  return missing;
}

/** Where Node looks for `name` from a package at `place`, nearest first. */
function places(place: string, name: string): string[] {
  const prefix = place === "" ? "" : `${place}/`;
  const here = `${prefix}node_modules/${name}`;
  const parent = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")));
  return place === "" ? [here] : [here, ...places(parent, name)];
}

function platformOf(name: string): { os: string[]; cpu: string[]; libc: string[] } {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.includes(word));
  if (os.length === 0) throw new Error(`the lock lacks ${name}, whose name does not say for which platform it is`);
  return {
    os,
    cpu: words.filter((word) => processors.includes(word)),
    libc: os.includes("linux") ? words.flatMap((word) => libraries[word] ?? []) : [],
  };
}
