import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A contract: how code that fulfils it is recognised, and by which suite it is tested. */
interface Contract {
  readonly name: string;
  readonly suite: string;
  /** Its group `adapter` is what a test of it must name; without one, any test of the package will do. */
  readonly fulfilled: RegExp;
}

const contracts: readonly Contract[] = [
  { name: "Ledger", suite: "ledgerConformance", fulfilled: /\bimplements (?:\w+, )*Ledger\b/g },
  { name: "VectorStore", suite: "vectorStoreConformance", fulfilled: /\bimplements (?:\w+, )*VectorStore\b/g },
  { name: "TextIndex", suite: "textIndexConformance", fulfilled: /\bimplements (?:\w+, )*TextIndex\b/g },
  {
    name: "Embedder",
    suite: "embedderConformance",
    fulfilled: /^export (?:async )?function (?<adapter>\w+)\([^)]*\): (?:Promise<)?Embedder\b/gm,
  },
  // Whoever puts a block into the messages of a framework.
  { name: "AgentMemory", suite: "agentConformance", fulfilled: /\bmemory\.blockFor\(/g },
];

/**
 * What fulfils a contract and is tested by no suite of it, as sentences. Adapters are found by what their sources say, and not by a
 * list.
 *
 * @param root a workspace with packages in `packages` and `examples`
 */
export function untestedAdapters(root: string): readonly string[] {
  return globSync(["packages/*", "examples/*"], { cwd: root })
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .toSorted()
    .flatMap((folder) => untestedOf(root, folder));
}

/** How many adapters there are of each contract. */
export function countedAdapters(root: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    contracts.map((contract) => {
      const folders = globSync(["packages/*", "examples/*"], { cwd: root });
      return [contract.name, folders.filter((folder) => adaptersOf(root, folder, contract).length > 0).length];
    }),
  );
}

function untestedOf(root: string, folder: string): readonly string[] {
  const tests = globSync(`${folder}/test/**/*.test.ts`, { cwd: root }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  return contracts.flatMap((contract) =>
    adaptersOf(root, folder, contract).flatMap((adapter) => {
      const isTested = tests.some((text) => text.includes(`${contract.suite}(`) && text.includes(adapter));
      const what = adapter === "" ? "" : ` with ${adapter}`;
      return isTested
        ? []
        : `${folder} fulfils ${contract.name}${what}, but none of its tests calls ${contract.suite}.`;
    }),
  );
}

/** The names of a package's adapters; empty names where the contract is fulfilled by something without one. */
function adaptersOf(root: string, folder: string, { fulfilled }: Contract): readonly string[] {
  const found = globSync(`${folder}/src/**/*.ts`, { cwd: root })
    // What suites and tests are made of is no adapter.
    .filter((file) => !file.includes("/conformance/"))
    .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(fulfilled)])
    .map((match) => match.groups?.["adapter"] ?? "");
  return [...new Set(found)];
}
