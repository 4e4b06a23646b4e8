import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import {
  appArrows,
  appConfigArrows,
  arrowsOf,
  engineRooms,
  exampleArrows,
  programArrows,
  pureArrows,
} from "./allowed.ts";
import type { Workspace } from "./workspace.ts";

const engine = "packages/engine/src";

/** Turns the table of allowed arrows into rules for dependency-cruiser, whose patterns are regular expressions. */
export function rulesFor(workspace: Workspace): IRegularForbiddenRuleType[] {
  return [
    ...workspace.packages.map((folder) =>
      forbid(
        "package-arrows",
        { path: `^packages/${folder}/src/` },
        { path: "^(packages|apps)/", pathNot: packagePattern([folder, ...(arrowsOf(folder) ?? [])]) },
      ),
    ),
    ...Object.entries(pureArrows).flatMap(([folder, fromNpm]) => [
      forbid("pure-no-node", { path: `^packages/${folder}/src/` }, { dependencyTypes: ["core"] }),
      forbid(
        "pure-no-npm",
        { path: `^packages/${folder}/src/` },
        { path: "(^|/)node_modules/", pathNot: fromNpm.map((name) => `(^|/)node_modules/${name}/`) },
      ),
    ]),

    ...Object.entries(engineRooms).map(([room, rooms]) =>
      forbid(
        "room-arrows",
        { path: `^${engine}/${room}/` },
        { path: `^${engine}/`, pathNot: `^${engine}/(${[room, ...rooms].join("|")})/` },
      ),
    ),

    forbid(
      "app-arrows",
      { path: "^apps/[^/]+/(bin|src)/", pathNot: "^apps/[^/]+/src/config/" },
      { path: "^packages/", pathNot: packagePattern(appArrows) },
    ),
    forbid(
      "app-arrows",
      { path: "^apps/[^/]+/src/config/" },
      { path: "^packages/", pathNot: packagePattern([...appArrows, ...appConfigArrows]) },
    ),
    forbid(
      "app-arrows",
      { path: "^apps/([^/]+)/", pathNot: Object.keys(programArrows).map((program) => `^apps/${program}/`) },
      { path: "^apps/", pathNot: "^apps/$1/" },
    ),
    ...Object.entries(programArrows).map(([program, parts]) =>
      forbid(
        "app-arrows",
        { path: `^apps/${program}/` },
        { path: "^apps/", pathNot: [program, ...parts].map((folder) => `^apps/${folder}/`) },
      ),
    ),
    // The page of the memory browser runs in browsers, and what serves it does not know it. Of the packages it takes the contract, and
    // the words, which run anywhere.
    forbid(
      "page-apart",
      { path: "^apps/browser/src/page/" },
      { path: "^(packages|apps)/", pathNot: ["^apps/browser/src/page/", "^packages/(api-web|domain)/"] },
    ),
    forbid("page-apart", { path: "^apps/browser/src/page/" }, { dependencyTypes: ["core"] }),
    forbid(
      "page-apart",
      { path: "^apps/[^/]+/src/", pathNot: "^apps/browser/src/page/" },
      { path: "^apps/browser/src/page/" },
    ),
    forbid(
      "nothing-imports-tools",
      { pathNot: ["^(tools|benchmarks)/", "^(packages|apps)/[^/]+/test/"] },
      { path: "^(tools|benchmarks)/" },
    ),
    // But for the services that they run on.
    forbid(
      "nothing-imports-tools",
      { path: "^(packages|apps)/[^/]+/test/" },
      { path: "^(tools|benchmarks)/", pathNot: "^tools/(postgres|pinecone-emulator)/" },
    ),

    // An example stands for a program of somebody else, or for an adapter.
    forbid("nothing-imports-examples", { pathNot: "^examples/" }, { path: "^examples/" }),
    forbid(
      "example-arrows",
      { path: "^examples/[^/]+/src/" },
      { path: "^packages/", pathNot: packagePattern(exampleArrows) },
    ),

    // A package is imported by its name, and only through its exports. Tests may reach into their own package.
    forbid(
      "no-deep-import",
      { path: "^(packages/[^/]+|apps/[^/]+|tools|benchmarks|examples/[^/]+)/" },
      { path: "^(packages|apps)/", pathNot: ["^$1/", ...workspace.entryPoints.map((file) => `^${escape(file)}$`)] },
    ),
    forbid(
      "no-path-between-packages",
      { path: "^(packages/[^/]+|apps/[^/]+|tools|benchmarks|examples/[^/]+)/" },
      { path: "^(packages|apps)/", pathNot: "^$1/", dependencyTypes: ["local"] },
    ),

    forbid("no-circular", {}, { circular: true }),
    forbid("resolvable", {}, { couldNotResolve: true }),
    forbid(
      "declared",
      // What the page of the memory browser is made of is in its one file.
      { path: "^(packages|apps|examples)/[^/]+/(src|bin)/", pathNot: "^apps/browser/src/page/" },
      // A peer, such as what only a conformance suite needs, is declared too. What a package names in its `imports` is
      // written into its build.
      {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"],
        dependencyTypesNot: ["npm-peer", "aliased-subpath-import"],
      },
    ),
    // dependency-cruiser does not look up workspace packages in package.json, so every member gets its own rule.
    ...[...workspace.declared].map(([member, dependencies]) =>
      forbid(
        "declared",
        { path: `^${member}/(src|bin)/` },
        { path: "^(packages|apps)/", pathNot: [`^${member}/`, memberPattern(dependencies)] },
      ),
    ),
  ];
}

function forbid(
  name: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IRegularForbiddenRuleType {
  return { name, severity: "error", from, to };
}

/** A pattern for the files of the named packages; `store-*` stands for every folder that starts with `store-`. */
function packagePattern(folders: readonly string[]): string {
  return `^packages/(${folders.map((folder) => folder.replace("*", "[^/]+")).join("|")})/`;
}

/** The same for packages and programs: a name of npm does not say which of them it is. */
function memberPattern(names: readonly string[]): string {
  return `^(packages|apps)/(${names.join("|")})/`;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
