import type { ToldConversation } from "../told-conversation.ts";

const ann = "Ann takes the morning ferry to Oslo.";
const bob = "Bob takes the evening ferry to Oslo.";
const question = "Which ferry to Oslo do I take?";
const ferry = (id: string) => ({ id, tool: "timetable", input: { to: "Oslo" }, returns: "At nine." });

/** Users and chats beside one another. */
export const severalConversations: readonly ToldConversation[] = [
  {
    name: "two users at once are shown their own",
    memories: { ann: [ann], bob: [bob] },
    questions: [
      [
        { asks: question, steps: [{ says: "The morning ferry." }], shows: [ann], hides: [bob] },
        { user: "bob", asks: question, steps: [{ says: "The evening ferry." }], shows: [bob], hides: [ann] },
      ],
    ],
  },
  {
    name: "two users at once with tools and streams are kept apart",
    memories: { ann: [ann], bob: [bob] },
    questions: [
      [
        { asks: question, isStreamed: true, steps: [{ calls: [ferry("call-1")] }, { says: "The morning ferry." }] },
        { user: "bob", asks: question, steps: [{ calls: [ferry("call-1")] }, { says: "The evening ferry." }] },
      ],
      [
        { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
        { user: "bob", asks: "Thanks.", steps: [{ says: "You are welcome." }] },
      ],
    ],
  },
  {
    name: "two chats of one user at once are kept apart",
    memories: { ann: [ann] },
    questions: [
      [
        { session: "monday", asks: question, steps: [{ says: "The morning ferry." }], shows: [ann] },
        { session: "tuesday", asks: question, steps: [{ says: "That of the morning." }], shows: [ann] },
      ],
    ],
  },
  {
    name: "a second user in the same process is shown nothing of the first",
    memories: { ann: [ann] },
    questions: [
      { asks: question, steps: [{ says: "The morning ferry." }], shows: [ann] },
      { user: "bob", asks: question, steps: [{ says: "I do not know." }], shows: null },
    ],
  },
];
