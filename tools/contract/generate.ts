// Writes the code and descriptors of the contract. Run after every change in proto/.
import { workspaceRoot } from "./buf.ts";
import { generate } from "./generated.ts";

generate(workspaceRoot);
