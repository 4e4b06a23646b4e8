import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type Assembly, assembleContext, findLayout, loadTokenCounter, planWindow, resolveModel } from "@loci/core";
import { type AssembleRequest, type ChatMessage, type LayoutName, layoutNames } from "@loci/domain";

// Draws docs/guides/layouts.html from real receipts; format it afterwards:
// node --conditions=@loci/source tools/layout-pictures/main.ts && npm run format
const words = "We decided to sign tokens with ES256, and to keep sessions in PostgreSQL. ";
const messages = Array.from({ length: 24 }, (_, index) => ({
  role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
  content: `${index + 1}. ${words.repeat(3 + (index % 5) * 3)}`,
}));

type Given = Pick<AssembleRequest, "system" | "project" | "task" | "coreMemory" | "files"> & {
  readonly messages?: readonly ChatMessage[];
};

const inputs: Readonly<Record<LayoutName, Given>> = {
  memoryBlocks: { system: words.repeat(15), project: words.repeat(45), task: words.repeat(8), messages },
  layeredFiles: {
    files: {
      files: {
        "IDENTITY.md": words.repeat(90),
        "INSTRUCTIONS.md": words.repeat(160),
        "KNOWLEDGE.md": words.repeat(200),
      },
      teamFiles: {
        "GOALS.md": words.repeat(40),
        "CONTEXT.md": words.repeat(120),
        "RULES.md": words.repeat(60),
      },
      days: [{ date: "2026-03-14", text: words.repeat(220) }],
    },
  },
  threeTier: { coreMemory: words.repeat(60), task: words.repeat(8), messages },
};

const pictures = await Promise.all(layoutNames.map(async (name) => picture(await assembleExample(name))));
writeFileSync(
  new URL("../../docs/guides/layouts.html", import.meta.url),
  `<!doctype html>
<meta charset="utf-8" />
<title>Windows of the layouts</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 900px; margin: 2rem auto; padding: 0 1rem; color: #222; }
  .row { display: grid; grid-template-columns: 11rem 1fr 9rem; gap: 0.8rem; align-items: center; margin: 0.15rem 0; }
  .budget { background: #e8ecf1; height: 1.1rem; }
  .used { background: #3b6ea5; height: 100%; }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
</style>
<h1>Windows of the layouts</h1>
<p>Each bar is a section's budget; the dark part is what it takes. Drawn from receipts by tools/layout-pictures.</p>
${pictures.join("\n")}
`,
);

async function assembleExample(name: LayoutName): Promise<Assembly> {
  const layout = findLayout(name);
  return assembleContext({
    layout,
    profile: "conversation",
    mode: layout.mode,
    plan: planWindow({ resolved: resolveModel(undefined), layout }),
    counter: await loadTokenCounter(layout.tokenizer ?? "o200k_base"),
    messages: [],
    query: "How do we sign tokens?",
    evaluationTime: 0,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    ...inputs[name],
    recall: undefined,
  });
}

function picture({ receipt, usage }: Assembly): string {
  const rows = [
    ...receipt.sections.map(({ name, usedTokens, budgetTokens }) => ({ name, usedTokens, budgetTokens })),
    { name: "query", usedTokens: usage.queryTokens, budgetTokens: receipt.window.queryTokens },
  ];
  const widest = Math.max(...rows.map(({ budgetTokens }) => budgetTokens));
  const bars = rows.map(
    ({ name, usedTokens, budgetTokens }) =>
      `  <div class="row"><span>${name}</span><div class="budget" style="width: ${percent(budgetTokens, widest)}">` +
      `<div class="used" style="width: ${percent(usedTokens, budgetTokens)}"></div></div>` +
      `<span class="number">${usedTokens} of ${budgetTokens}</span></div>`,
  );
  return [
    `<h2>${receipt.layout}</h2>`,
    `<p>Mode ${receipt.mode}, counted with ${receipt.tokenizer}: ${usage.totalTokens} of ${usage.budgetTokens} tokens.</p>`,
    ...bars,
  ].join("\n");
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((1000 * Math.min(part, whole)) / whole) / 10}%`;
}
