import type { Layout } from "../layout/layout.ts";
import type { ContextFormat } from "./context-format.ts";
import { MarkdownFormat } from "./markdown-format.ts";
import { XmlFormat } from "./xml-format.ts";

/** Enough for the layouts an application uses; one that makes up a new layout for every request gains nothing. */
const maxFormats = 100;

const byLayout = new WeakMap<Layout, ContextFormat>();
// A layout that comes with each request is another object each time.
const byContent = new Map<string, ContextFormat>();

/** The format of a layout, made once: it holds patterns of the layout's own names, which take milliseconds to compile. */
export function formatOf(layout: Layout): ContextFormat {
  let format = byLayout.get(layout);
  if (format === undefined) {
    format = formatLike(layout);
    byLayout.set(layout, format);
  }
  return format;
}

/** The format of a layout with the same delimiters. */
function formatLike(layout: Layout): ContextFormat {
  const { rendering, memoryForm, sections } = layout;
  const key = JSON.stringify([rendering, memoryForm, sections.map(({ name, title, source }) => [name, title, source])]);
  const format = byContent.get(key) ?? (rendering === "xml" ? new XmlFormat(layout) : new MarkdownFormat(layout));
  // What was used last stands last, and goes last.
  byContent.delete(key);
  byContent.set(key, format);
  const [oldest] = byContent.keys();
  if (byContent.size > maxFormats && oldest !== undefined) byContent.delete(oldest);
  return format;
}
