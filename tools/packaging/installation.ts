import { execFile } from "node:child_process";
import { cpSync, globSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What a program said and how it ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const programMilliseconds = 300_000;

/** A folder outside the workspace in which packages are installed from their tarballs, as anybody would. */
export class Installation implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "loci-installed-"));

  /**
   * @param packages tarballs, and names for the registry
   * @returns what npm said
   * @throws Error with it, when npm fails
   */
  async install(packages: readonly string[]): Promise<string> {
    writeFileSync(join(this.folder, "package.json"), `{ "name": "somebody", "version": "1.0.0", "private": true }\n`);
    const command = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages];
    const { stdout, stderr, exitCode } = await this.run("npm", command);
    if (exitCode !== 0) throw new Error(`npm install failed:\n${stdout}${stderr}`);
    return stdout + stderr;
  }

  /** Takes one of the programs along. @returns its name there */
  add(program: string): string {
    cpSync(join(import.meta.dirname, "programs", program), join(this.folder, program), { recursive: true });
    return program;
  }

  /** Lays one of the applications of `fixtures` there. */
  addFixture(name: string): void {
    cpSync(join(import.meta.dirname, "fixtures", name), this.folder, { recursive: true });
  }

  /** Runs a program in the folder. Nothing of the workspace's environment leads back there. */
  run(program: string, command: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runProgram(program, command, { cwd: this.folder, environment });
  }

  /** Bytes of all files of the packages that are installed. */
  size(): number {
    return globSync("node_modules/**/*", { cwd: this.folder })
      .map((file) => lstatSync(join(this.folder, file)))
      .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function runProgram(
  program: string,
  command: readonly string[],
  { cwd, environment }: { cwd: string; environment: Readonly<Record<string, string>> },
): Promise<Ended> {
  const { NODE_OPTIONS: _options, NODE_PATH: _path, ...inherited } = process.env;
  try {
    const env = { ...inherited, ...environment };
    const options = { cwd, env, maxBuffer: 1 << 24, timeout: programMilliseconds };
    return { ...(await promisify(execFile)(program, command, options)), exitCode: 0 };
  } catch (error) {
    const { stdout = "", stderr = "", code } = error as { stdout?: string; stderr?: string; code?: number | string };
    if (typeof code !== "number") throw error;
    return { stdout, stderr, exitCode: code };
  }
}
