// dependency-cruiser has swc read every file as TypeScript without JSX. This has it read `.tsx` with it. Imported for its effect,
// before the first cruise.
import { Compiler, type ParseOptions } from "@swc/core";

const prototype = Compiler.prototype;
// eslint-disable-next-line typescript/unbound-method -- called with the compiler below
const known = prototype.parseFileSync as (this: Compiler, path: string, options: ParseOptions) => never;

prototype.parseFileSync = function parseFileSync(this: Compiler, path: string, options: ParseOptions): never {
  return known.call(this, path, path.endsWith(".tsx") ? { ...options, syntax: "typescript", tsx: true } : options);
};
