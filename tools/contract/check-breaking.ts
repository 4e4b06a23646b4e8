// Fails when the contract breaks clients of the last commit of main.
import { workspaceRoot } from "./buf.ts";
import { baseCommit, checkBreaking } from "./breaking.ts";

const base = baseCommit(workspaceRoot);
if (base === undefined) console.log("breaking: SKIPPED, because there is no earlier commit with a contract here");
else {
  checkBreaking(workspaceRoot, base);
  console.log(`breaking: nothing that clients of ${base.slice(0, 12)} use has changed`);
}
