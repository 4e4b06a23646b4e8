import { escapeHtml } from "../report/escape-html.ts";
import type { SideBySideResults } from "./side-by-side-results.ts";
import { faultsOf, summaryColumns } from "./side-by-side-table.ts";

/** The part of the results page that compares Loci with other libraries. Made from the JSON alone. */
export function sideBySideSection({ steps, results, conversations, budgets, time }: SideBySideResults): string {
  const real = conversations.filter(({ isReal }) => isReal).length;
  const failures = results.filter((result) => faultsOf(result).length > 0);
  return `<h2>Side by side: making a conversation fit</h2>
<p>${conversations.length} conversations (${real} real: logs of coding agents and tool dialogues) in budgets of ${budgets.join(", ")} tokens, ${time.slice(0, 16)}
UTC. Judged with the tokenizer of the model, with framing, by a library that none of them counts with. Times are medians over
the cases of the least of several calls.</p>
<table>
<tr>${summaryColumns.map(([heading]) => `<th>${escapeHtml(heading)}</th>`).join("")}</tr>
${steps.map((step) => `<tr>${summaryColumns.map(([, cell]) => `<td>${escapeHtml(cell(step))}</td>`).join("")}</tr>`).join("\n")}
</table>
<ul class="small">
${steps.map(({ step, description }) => `<li>${escapeHtml(`${step}: ${description}`)}</li>`).join("\n")}
</ul>
<details><summary>${failures.length} of ${results.length} results with a fault</summary><ul>
${failures.map((result) => `<li>${escapeHtml(`${result.step}, ${result.conversation}, ${result.budgetTokens} tokens: ${faultsOf(result).join(", ")}`)}</li>`).join("\n")}
</ul></details>
`;
}
