/** The schemas that come with Loci, as anybody would write one. */
export const shippedSchemaTexts: readonly string[] = [
  `
name = "persona"
description = "Who the agent is: its role, what it can do, how it speaks, what it must keep to."
[[fields]]
name = "name"
type = "string"
default = "Assistant"
[[fields]]
name = "role"
type = "string"
required = true
[[fields]]
name = "capabilities"
type = "list"
max = 5
[[fields]]
name = "expertise"
type = "list"
max = 4
[[fields]]
name = "tone"
type = "string"
default = "professional"
[[fields]]
name = "verbosity"
type = "string"
default = "concise"
[[fields]]
name = "constraints"
type = "list"
max = 3
`,
  `
name = "human"
description = "Who the user is, what is being done for them, and the newest of what is known about them."
[[fields]]
name = "name"
type = "string"
[[fields]]
name = "role"
type = "string"
[[fields]]
name = "currentTask"
type = "string"
[[fields]]
name = "sessionState"
type = "choice"
options = ["idle", "active_task", "waiting_input", "thinking", "error_recovery"]
[[fields]]
name = "preferences"
type = "list"
max = 4
overflow = "archive"
[[fields]]
name = "facts"
type = "list"
max = 3
overflow = "archive"
[[fields]]
name = "contextNotes"
type = "list"
max = 10
overflow = "archive"
`,
  `
name = "student"
description = "Whom the agent teaches: background, strengths, goals."
[[fields]]
name = "name"
type = "string"
[[fields]]
name = "background"
type = "text"
[[fields]]
name = "strengths"
type = "list"
max = 10
[[fields]]
name = "goals"
type = "list"
max = 10
`,
  `
name = "journey"
description = "Where somebody stands on a longer way, and what comes next."
[[fields]]
name = "currentStage"
type = "string"
[[fields]]
name = "milestones"
type = "list"
max = 20
overflow = "archive"
[[fields]]
name = "nextStep"
type = "text"
`,
  `
name = "engagement_strategy"
description = "How to work with somebody: what helps and what does not."
[[fields]]
name = "approach"
type = "text"
[[fields]]
name = "whatWorks"
type = "list"
max = 10
[[fields]]
name = "whatToAvoid"
type = "list"
max = 10
`,
  `
name = "core_memory"
description = "What must stand in every context, as one Markdown document with a cap."
[[fields]]
name = "text"
type = "text"
`,
  `
name = "memory_file"
description = "A file that the agent keeps for itself with a memory tool. It is looked up, and stands in no context by itself."
[[fields]]
name = "path"
type = "string"
description = "Where it is, below /memories. Without one there is no file; with a slash at its end it is a directory."
[[fields]]
name = "text"
type = "text"
[[fields]]
name = "linesBefore"
type = "integer"
description = "How many line breaks stand before the text."
[[fields]]
name = "linesAfter"
type = "integer"
description = "How many line breaks stand after the text."
[[fields]]
name = "escaped"
type = "boolean"
description = "Whether the text is written as a JSON string, because a block would not keep each of its characters."
`,
];

/** Personas to begin with, by name. */
export const presetTexts: Readonly<Record<string, string>> = {
  assistant: `
name = "Assistant"
role = "General-purpose AI assistant"
capabilities = ["answer questions", "help with tasks"]
tone = "friendly"
verbosity = "adaptive"
`,
  code_helper: `
name = "CodeHelper"
role = "Software development assistant"
capabilities = ["write code", "review code", "debug"]
expertise = ["Python", "JavaScript", "system design"]
tone = "professional"
verbosity = "detailed"
constraints = ["include error handling", "prefer readability"]
`,
  researcher: `
name = "Researcher"
role = "Research and analysis assistant"
capabilities = ["synthesise information", "compare options"]
expertise = ["research methodology", "data analysis"]
tone = "professional"
verbosity = "detailed"
`,
};
