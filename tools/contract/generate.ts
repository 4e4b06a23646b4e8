// Writes the code and descriptors of the contract. Run after every change in proto/.
import { workspaceRoot } from "./buf.ts";
import { findTargets, generate } from "./generated.ts";

const { available, missing } = findTargets();
generate(workspaceRoot, available);
console.log(`generated: ${available.join(", ")}`);
for (const { target, reason } of missing) console.warn(`${target}: SKIPPED, and now perhaps out of date: ${reason}`);
