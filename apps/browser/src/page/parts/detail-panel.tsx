import type { ComponentChildren, RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { closeDetail } from "../state/close-detail.ts";

interface DetailPanelProps {
  readonly title: string;
  /** Has the focus when the panel opens. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly children: ComponentChildren;
}

/** What is open beside a list. */
export function DetailPanel({ title, heading, children }: DetailPanelProps) {
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="detail" aria-labelledby="detail-title">
      <header class="detail-header">
        <h2 id="detail-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="quiet" aria-label="Close" onClick={closeDetail}>
          ✕
        </button>
      </header>
      {children}
    </section>
  );
}
