import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Why no certificates can be made here: `undefined` when they can. */
export function missingOpenssl(): string | undefined {
  return spawnSync("openssl", ["version"]).status === 0 ? undefined : "there is no openssl to make certificates with";
}

/** A certificate and its key, as a caller shows them. */
export interface CallerCertificate {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** An authority that signs certificates which are over to the second: fixtures have days. Its files are in a folder that is not there yet. */
export class ShortLivedAuthority {
  /** What a server is told of it. */
  readonly certificateFile: string;
  readonly #folder: string;

  constructor(folder: string) {
    mkdirSync(folder);
    this.#folder = folder;
    this.certificateFile = join(folder, "authority.crt");
    const subject = ["-subj", "/CN=loci test authority", "-addext", "basicConstraints=critical,CA:TRUE"];
    this.#openssl(["req", "-x509", ...newKey, ...subject, "-keyout", "authority.key", "-out", "authority.crt"]);
    writeFileSync(
      join(folder, "authority.conf"),
      `[ca]
default_ca = authority
[authority]
database = ./index.txt
new_certs_dir = .
certificate = ./authority.crt
private_key = ./authority.key
serial = ./serial
unique_subject = no
default_md = sha256
policy = policy
x509_extensions = extensions
[policy]
commonName = supplied
[extensions]
extendedKeyUsage = clientAuth
`,
    );
    writeFileSync(join(folder, "index.txt"), "");
    writeFileSync(join(folder, "serial"), "01\n");
  }

  /** @param end in milliseconds since 1970; parts of a second are left out */
  sign(commonName: string, end: number): CallerCertificate {
    const name = String(end);
    const request = ["-keyout", `${name}.key`, "-out", `${name}.csr`];
    this.#openssl(["req", ...newKey, "-subj", `/CN=${commonName}`, ...request]);
    const period = ["-startdate", timeOf(end - 3_600_000), "-enddate", timeOf(end)];
    const files = ["-config", "authority.conf", "-in", `${name}.csr`, "-out", `${name}.crt`];
    this.#openssl(["ca", "-batch", "-notext", ...files, ...period]);
    const read = (ending: string): Buffer => readFileSync(join(this.#folder, `${name}.${ending}`));
    return { certificate: read("crt"), key: read("key") };
  }

  #openssl(words: readonly string[]): void {
    execFileSync("openssl", words, { cwd: this.#folder, stdio: "pipe" });
  }
}

/** Such as 20261125231500Z. */
function timeOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().replaceAll(/\D/gu, "").slice(0, 14)}Z`;
}
