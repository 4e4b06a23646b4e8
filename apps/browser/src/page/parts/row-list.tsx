import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { firstRow, rowHeight, scrollHeight, scrollTopOf } from "./rows-in-view.ts";

interface RowListProps {
  /** Of the list, for those who do not see it. */
  readonly label: string;
  readonly count: number;
  readonly active: number;
  readonly row: (index: number) => ComponentChildren;
  readonly onActive: (index: number) => void;
  readonly onOpen: (index: number) => void;
  /** Rows that can be chosen besides: which are, and what becomes of them. */
  readonly choice?: RowChoice | undefined;
  /** Told which rows are looked at, so that they can be loaded. */
  readonly onRange: (first: number, last: number) => void;
}

/** Several rows of a list, to do something with all of them. */
export interface RowChoice {
  readonly has: (index: number) => boolean;
  readonly toggle: (index: number) => void;
  /** From the last one that was chosen to this one. */
  readonly extendTo: (index: number) => void;
  readonly all: () => void;
}

/** So many rows beyond each edge are there before they are scrolled to. */
const beyond = 4;

/**
 * A list of any length, of which only the rows in view are in the document, and the active one. One element scrolls; the rows stand
 * in a window that sticks to its top, so that nothing is ever blank.
 */
export function RowList({ label, count, active, row, choice, onActive, onOpen, onRange }: RowListProps) {
  const name = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const window = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 0 });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setView({ scrollTop: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  const top = firstRow(view.scrollTop, view.height, count);
  const first = Math.max(0, Math.floor(top) - beyond);
  const last = Math.min(count - 1, Math.ceil(top + view.height / rowHeight) + beyond);
  useLayoutEffect(() => {
    if (content.current !== null) content.current.style.height = `${scrollHeight(count)}px`;
    if (window.current !== null) window.current.style.height = `${Math.min(view.height, scrollHeight(count))}px`;
    if (rows.current !== null) rows.current.style.transform = `translateY(${(first - top) * rowHeight}px)`;
  });
  useLayoutEffect(() => onRange(first, last), [first, last, count]);

  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const isActiveAway = active < count && (active < first || active > last);

  function show(index: number): void {
    const element = scroller.current;
    if (element === null) return;
    const whole = Math.floor(view.height / rowHeight);
    const from = firstRow(element.scrollTop, view.height, count);
    if (index < from) element.scrollTop = scrollTopOf(index, view.height, count);
    else if (index + 1 > from + view.height / rowHeight)
      element.scrollTop = scrollTopOf(index + 1 - view.height / rowHeight, view.height, count);
    else if (whole === 0) element.scrollTop = scrollTopOf(index, view.height, count);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    };
    const isCombined = event.altKey || event.ctrlKey || event.metaKey;
    const next = isCombined ? undefined : steps[event.key];
    if (next !== undefined) {
      const index = Math.max(0, Math.min(count - 1, next));
      if (event.shiftKey && choice !== undefined) {
        if (!choice.has(active)) choice.toggle(active);
        choice.extendTo(index);
      }
      onActive(index);
      show(index);
    } else if (choice !== undefined && event.key === " " && !isCombined) choice.toggle(active);
    else if (choice !== undefined && event.key === "a" && (event.ctrlKey || event.metaKey)) choice.all();
    else if (event.key === "Enter") onOpen(active);
    else return;
    event.preventDefault();
  }

  const option = (index: number) => (
    <div
      key={index}
      id={`${name}-${index}`}
      class={index === active ? "row active" : "row"}
      role="option"
      aria-selected={choice === undefined ? index === active : choice.has(index)}
      aria-setsize={count}
      aria-posinset={index + 1}
      onMouseDown={(event) => {
        // Else a stretch of text would be marked.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={(event) => {
        const isOnBox = event.target instanceof Element && event.target.closest(".row-box") !== null;
        onActive(index);
        if (choice === undefined || !(isOnBox || event.shiftKey || event.ctrlKey || event.metaKey)) onOpen(index);
        else if (event.shiftKey) choice.extendTo(index);
        else choice.toggle(index);
      }}
    >
      {choice !== undefined && <span class="row-box" aria-hidden="true" />}
      {row(index)}
    </div>
  );
  return (
    <div
      ref={scroller}
      class="row-list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable={choice !== undefined}
      aria-activedescendant={active < count ? `${name}-${active}` : undefined}
      onScroll={(event) => {
        const { scrollTop, clientHeight } = event.currentTarget;
        setView({ scrollTop, height: clientHeight });
      }}
      onKeyDown={onKeyDown}
    >
      <div ref={content} class="row-list-content" role="presentation">
        <div ref={window} class="row-list-window" role="presentation">
          <div ref={rows} class="row-list-rows" role="presentation">
            {shown.map(option)}
          </div>
          {isActiveAway && (
            <div class="row-away" role="presentation">
              {option(active)}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
