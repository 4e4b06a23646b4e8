import type { Layout } from "../layout/layout.ts";
import type { ContextFormat } from "./context-format.ts";
import { MarkdownFormat } from "./markdown-format.ts";
import { XmlFormat } from "./xml-format.ts";

const formats = new WeakMap<Layout, ContextFormat>();

/** The format of a layout, made once: it holds patterns of the layout's own names. */
export function formatOf(layout: Layout): ContextFormat {
  let format = formats.get(layout);
  if (format === undefined) {
    format = layout.rendering === "xml" ? new XmlFormat(layout) : new MarkdownFormat(layout);
    formats.set(layout, format);
  }
  return format;
}
