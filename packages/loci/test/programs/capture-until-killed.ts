import { openEngine } from "@loci/loci";
import { tenantId } from "@loci/domain";

/**
 * Captures one session after the other until it is killed. Prints each capture that was acknowledged, as a line of JSON.
 *
 * Usage: capture-until-killed.ts DIRECTORY CYCLE
 */
const [dataDirectory = "", cycle = ""] = process.argv.slice(2);
const engine = await openEngine({ dataDirectory, captureLease: 500 });
const loci = engine.for({
  tenant: tenantId("local"),
  subject: "test",
  roles: ["read", "write"],
  scopePatterns: ["*"],
});
const places = ["Oslo", "Lund", "Graz", "Bari", "Nice", "Cork", "Linz", "Brno"];
for (let number = 0; ; number++) {
  const key = { scope: `user:u${cycle}-${number}`, id: "s" } as const;
  const turns = places.flatMap((place, index) => [
    { role: "user" as const, content: `Friend ${index} is called ${place}son. I own ${index + 2} boats in ${place}.` },
    { role: "assistant" as const, content: "Noted." },
  ]);
  await loci.sessions.create({ ...key, capture: "off" });
  await loci.sessions.append(key, { expectedLast: 0, turns });
  const { id } = await loci.captures.start({ session: key });
  console.log(JSON.stringify({ id, scope: key.scope }));
}
