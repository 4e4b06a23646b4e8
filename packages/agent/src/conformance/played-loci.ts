import { type Loci, LociError } from "@loci/domain";
import type { ToldQuestion } from "./told-conversation.ts";

/** A Loci that counts what it recalls, and that fails when a conversation tells so. */
export class PlayedLoci {
  readonly loci: Loci;
  recalls = 0;
  does: ToldQuestion["loci"];

  constructor(loci: Loci) {
    const assemble: Loci["assemble"] = (...call) => {
      this.recalls++;
      if (this.does === "silent") return new Promise(() => undefined);
      return this.does === "fails to recall" ? Promise.reject(outOfReach()) : loci.assemble(...call);
    };
    const append: Loci["sessions"]["append"] = (...call) =>
      this.does === "fails to keep" ? Promise.reject(outOfReach()) : loci.sessions.append(...call);
    this.loci = withMembers(loci, { assemble, sessions: withMembers(loci.sessions, { append }) });
  }
}

function outOfReach(): LociError {
  return new LociError("SERVER_UNAVAILABLE", { message: "The server is out of reach, as the conversation tells." });
}

/** An object with some of its members replaced, whatever it is made of. */
function withMembers<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(object, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}
