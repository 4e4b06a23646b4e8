import { settingNames, settings, variableOf } from "./settings.ts";

/** The reference page of all settings, as Markdown. */
export function settingsReference(): string {
  const sections = new Map<string, string[]>();
  for (const name of settingNames) {
    const { about, form, default: value } = settings[name];
    const table = name.includes(".") ? `[${name.slice(0, name.indexOf("."))}]` : "";
    const key = name.slice(name.indexOf(".") + 1);
    const shown = value === undefined ? "" : `\`${JSON.stringify(value)}\``;
    const rows = sections.get(table) ?? [];
    rows.push(`| \`${key}\` | ${about} | ${form} | ${shown} | \`${variableOf(name)}\` |`);
    sections.set(table, rows);
  }
  const head = "| setting | what it is for | what it may be | default | variable |\n| --- | --- | --- | --- | --- |";
  const parts = Array.from(sections, ([table, rows]) => {
    const heading = table === "" ? "## Before any table" : `## \`${table}\``;
    return `${heading}\n\n${head}\n${rows.join("\n")}\n`;
  });
  return `# Settings of the server\n\n${introduction}\n\n${parts.join("\n")}`;
}

const introduction =
  "One TOML file and environment variables; a variable wins over the file. Paths in the file are relative to it. Tables besides: " +
  "`[memory.metadata]` with the type of each field that filters can ask for, `[memory.tenant_profiles]` and " +
  "`[memory.tenant_relevance_floors]` by tenant, `[[api_keys]]`, which `loci key create` prints, and `[[client_certificates]]` with " +
  "what the names of clients' certificates open ([the guide](../guides/keys.md)). `loci serve --print-config` " +
  "shows what is in force. This page is made from the server's own list by `npm run reference`.";
