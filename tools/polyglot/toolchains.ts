import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The languages besides TypeScript that there is a client for. */
export const languages = ["python", "go"] as const;

export type Language = (typeof languages)[number];

/** The folder of each language's client. */
export const clientFolders: Readonly<Record<Language, string>> = {
  python: join(import.meta.dirname, "../../packages/client-python"),
  go: join(import.meta.dirname, "../../packages/client-go"),
};

/** Python with what the client needs, made by `npm run toolchains`. */
export const pythonProgram: string = join(clientFolders.python, ".venv/bin/python");

/**
 * Why the client of a language can be neither generated nor tested here: `undefined` when it can. Asks the network for
 * nothing. Loci is developed without these languages too; only CI must have them.
 *
 * @throws Error with the reason when `CI` is `true`
 */
export function missingToolchain(language: Language): string | undefined {
  try {
    checks[language]();
    return undefined;
  } catch (error) {
    const reason = `${lastWords(error)}. \`npm run toolchains\` installs what it takes.`;
    if (process.env["CI"] === "true") throw new Error(`CI must have ${language}: ${reason}`, { cause: error });
    return reason;
  }
}

/** The agents' frameworks that the Python client has adapters for: each extra, with the module that it brings. */
export const pythonFrameworks = {
  langchain: "langchain",
  langgraph: "langgraph",
  "openai-agents": "agents",
  anthropic: "anthropic",
  "llama-index": "llama_index.core",
} as const;

export type PythonFramework = keyof typeof pythonFrameworks;

/**
 * Why an adapter of the Python client cannot be tested here: `undefined` when it can.
 *
 * @throws Error with the reason when `CI` is `true`
 */
export function missingFramework(framework: PythonFramework): string | undefined {
  const missing = missingToolchain("python");
  if (missing !== undefined) return missing;
  try {
    run(pythonProgram, ["-c", `import ${pythonFrameworks[framework]}`]);
    return undefined;
  } catch (error) {
    const reason = `${lastWords(error)}. \`npm run toolchains\` installs what it takes.`;
    if (process.env["CI"] === "true") throw new Error(`CI must have ${framework}: ${reason}`, { cause: error });
    return reason;
  }
}

const checks: Readonly<Record<Language, () => void>> = { python: checkPython, go: checkGo };

function checkPython(): void {
  if (!existsSync(pythonProgram)) throw new Error("packages/client-python has no .venv");
  const project = readFileSync(join(clientFolders.python, "pyproject.toml"), "utf8");
  const wanted = /"grpcio-tools==([^"]+)"/.exec(project)?.[1];
  const script =
    "import importlib.metadata as metadata, grpc, google.rpc.status_pb2, mypy, unasync; print(metadata.version('grpcio-tools'))";
  const found = run(pythonProgram, ["-c", script]).trim();
  if (found !== wanted) throw new Error(`grpcio-tools is ${found}, not ${wanted ?? "pinned in pyproject.toml"}`);
}

function checkGo(): void {
  run("go", ["version"]);
  try {
    // What the tools' own tests import is needed by nobody here, and not fetched.
    run("go", ["-C", clientFolders.go, "list", "-deps", "tool"], { GOPROXY: "off" });
    run("go", ["-C", clientFolders.go, "list", "-deps", "-test", "./..."], { GOPROXY: "off" });
  } catch (error) {
    throw new Error(`the modules of packages/client-go are not all there: ${lastWords(error)}`, { cause: error });
  }
}

function run(program: string, command: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  return execFileSync(program, command, {
    encoding: "utf8",
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 24,
    stdio: "pipe",
  });
}

/** Stands in a test's name, so that what was skipped says why; nothing where nothing is missing. */
export function skipReason(missing: string | undefined): string {
  return missing === undefined ? "" : ` (skipped: ${missing})`;
}

/** The last of what the program said, which in both languages is the reason, else what kept it from running. */
function lastWords(error: unknown): string {
  const { stderr } = error as { readonly stderr?: string };
  const text = stderr?.trim() || (error instanceof Error ? error.message : String(error));
  return text.slice(text.lastIndexOf("\n") + 1);
}
