import { render } from "preact";
import { openSession } from "./api/session.ts";
import { Page } from "./page.tsx";

const root = document.getElementById("page");
if (root === null) throw new Error("The document has no place for the page.");
await openSession();
render(<Page />, root);
