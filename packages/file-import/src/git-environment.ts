import { devNull } from "node:os";

/**
 * What the git program is told by its environment: nothing of this machine's or this user's settings, nobody to ask, nothing to
 * fetch, nothing to write.
 */
export const gitEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
};
