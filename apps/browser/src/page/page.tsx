import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { session } from "./api/session.ts";
import { KeyHelp } from "./parts/key-help.tsx";
import { NoticeBar } from "./parts/notice-bar.tsx";
import { SessionOver } from "./parts/session-over.tsx";
import { TopBar } from "./parts/top-bar.tsx";
import { loadCaller } from "./state/caller.ts";
import { useKeys } from "./state/use-keys.ts";
import { route, type ViewName } from "./state/route.ts";
import { serverAway } from "./state/server-away.ts";
import { CapturesView } from "./views/captures/captures-view.tsx";
import { HealthView } from "./views/health/health-view.tsx";
import { MemoriesView } from "./views/memories/memories-view.tsx";
import { WhyView } from "./views/why/why-view.tsx";
import { ReviewView } from "./views/review/review-view.tsx";
import { WindowView } from "./views/window/window-view.tsx";

const viewOf: Readonly<Record<ViewName, ComponentType>> = {
  memories: MemoriesView,
  why: WhyView,
  window: WindowView,
  review: ReviewView,
  captures: CapturesView,
  health: HealthView,
};

/** The page: where one can go, and the view that is there. */
export function Page() {
  useKeys();
  const isOpen = session.value !== undefined;
  const token = session.value?.token;
  useEffect(() => {
    if (isOpen) void loadCaller();
  }, [token]);
  const View = viewOf[route.value.view];
  if (session.value === undefined) return <SessionOver />;
  return (
    <>
      <TopBar />
      {serverAway.value && (
        <p class="banner" role="alert">
          The server does not answer. It is tried again; what is shown may be old.
        </p>
      )}
      <main id="main" class="main">
        <View />
      </main>
      <NoticeBar />
      <KeyHelp />
    </>
  );
}
