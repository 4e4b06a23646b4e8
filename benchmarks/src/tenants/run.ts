// What tenants cost that nobody asks for just now: the start of a server, what it holds, first recalls, rest and sweeps.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureTenants } from "./measure-tenants.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    tenants: { type: "string", default: "10000" },
    /** Kept, and measured again the next time without writing it anew. Default: a temporary one. */
    directory: { type: "string" },
  },
});
const tenants = Number(values.tenants);
const temporary = values.directory === undefined ? mkdtempSync(join(tmpdir(), "loci-tenants-")) : undefined;
try {
  const directory = values.directory ?? join(temporary as string, "data");
  const figures = await measureTenants(directory, tenants, (step) => console.error(step));
  if (values.json) console.log(JSON.stringify({ tenants, figures }));
  else console.table(figures.map((figure) => ({ ...figure, value: Math.round(figure.value * 100) / 100 })));
} finally {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}
