/** Imported before a program: says at its end, on one line of standard error, which packages of this workspace were loaded. */
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  load: (url, context, nextLoad) => {
    const folder = /\/(?:packages|apps)\/([^/]+)\/src\//.exec(url)?.[1];
    if (folder !== undefined && !url.includes("/node_modules/")) loaded.add(folder);
    return nextLoad(url, context);
  },
});
process.on("exit", () => writeSync(2, `loaded: ${[...loaded].toSorted().join(" ")}\n`));
