import { writeFileSync } from "node:fs";
import { compileKernel, kernelModule } from "./kernel-source.ts";

writeFileSync(kernelModule, await compileKernel());
