import { expect, test } from "vitest";
import { BrowserSessions } from "../src/gateway/browser-sessions.ts";

const minute = 60_000;

function sessionsAt(): { sessions: BrowserSessions; pass: (milliseconds: number) => void } {
  let now = 1_000;
  return { sessions: new BrowserSessions(() => now), pass: (milliseconds) => (now += milliseconds) };
}

test("a link opens one session, and says when it is used again", () => {
  const { sessions } = sessionsAt();
  const link = sessions.createLink();
  expect(link).toMatch(/^[\w-]{43}$/);
  const session = sessions.exchange(link);
  expect(sessions.admits(session)).toBe(true);
  expect(sessions.exchange(link)).toBe("used");
  expect([sessions.admits(link), sessions.admits(""), sessions.admits("used")]).toEqual([false, false, false]);
});

test("a link is over after a minute", () => {
  const { sessions, pass } = sessionsAt();
  const link = sessions.createLink();
  pass(minute);
  expect(sessions.exchange(link)).toBe("unknown");
});

test("a session ends after half an hour without a call, and after twelve hours with them", () => {
  const { sessions, pass } = sessionsAt();
  const idle = sessions.exchange(sessions.createLink());
  pass(30 * minute);
  expect(sessions.admits(idle)).toBe(false);

  const busy = sessions.exchange(sessions.createLink());
  for (let calls = 0; calls < 35; calls++) {
    pass(20 * minute);
    expect(sessions.admits(busy)).toBe(true);
  }
  pass(20 * minute);
  expect(sessions.admits(busy)).toBe(false);
});

test("links and sessions do not pile up", () => {
  const { sessions } = sessionsAt();
  const first = sessions.exchange(sessions.createLink());
  const others = Array.from({ length: 16 }, () => sessions.exchange(sessions.createLink()));
  expect([sessions.admits(first), sessions.admits(others.at(-1) ?? "")]).toEqual([false, true]);
});

test("who makes many tokens of one key signs nobody else out", () => {
  const { sessions } = sessionsAt();
  const credential = (owner: string, holder: string) => ({ token: "token", holder, owner });
  const ann = sessions.open(credential("ann", "ann"));
  const first = sessions.open(credential("many", "0"));
  for (let count = 1; count < 1_100; count++) sessions.open(credential("many", String(count)));
  expect([sessions.admits(ann), sessions.admits(first)]).toEqual([true, false]);
});
