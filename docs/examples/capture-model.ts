// What `docs/guides/capture-with-a-model.md` shows: memories that a language model finds in what was said.
import { openAiCompatibleModel, type OpenAiCompatibleModelOptions, openLoci } from "@loci/loci";

/** Whichever you have. A local server needs no key. */
export const servers = {
  openAi: {
    baseUrl: "https://api.openai.com/v1",
    model: "gpt-5-mini",
    apiKey: process.env["OPENAI_API_KEY"],
    outputLimitField: "max_completion_tokens",
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    model: "claude-haiku-4-5",
    apiKey: process.env["ANTHROPIC_API_KEY"],
    structuredOutput: "none",
  },
  local: { baseUrl: "http://localhost:11434/v1", model: "qwen3:8b" },
} as const satisfies Record<string, OpenAiCompatibleModelOptions>;

export async function captureByModel(server: OpenAiCompatibleModelOptions, dataDirectory?: string): Promise<void> {
  const captureModel = openAiCompatibleModel(server);
  await using loci = await openLoci({ tenant: "acme", dataDirectory, captureModel });

  const key = { scope: "user:ann", id: "ann-monday" } as const;
  await loci.sessions.create({ ...key, capture: "off" }); // asked for below; without it, closing the session does it
  const content = "We moved the whole team over to Postgres 17 last Friday, thanks for all the help with that.";
  await loci.sessions.append(key, { expectedLast: 0, turns: [{ role: "user", content }] });

  const { id } = await loci.captures.start({ session: key });
  const { outcome } = await loci.captures.wait(id);
  console.log(outcome?.extractor, outcome?.modelProblem ?? "", outcome?.usage);
  for (const { decision, reason, text } of outcome?.candidates ?? []) console.log(decision ?? reason, text);
}

if (process.argv[1] === import.meta.filename) await captureByModel(servers.local);
