import { hash } from "node:crypto";
import { LociError } from "@loci/loci";
import {
  acceptedContent,
  type CallToolResult,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** How long an answer may take. */
const answerSeconds = 600;
/** The most that is put into a form, in UTF-16 units: what somebody decides about they have to see whole. */
const longestForm = 16_000;
/** The one field of each form. */
const field = "decision";

/** What it is about: ids, versions and hashes. Signed, and readable by whoever has it. */
export type DecisionSubject = Readonly<Record<string, string | number>>;

/** What somebody was asked, as it goes out with the form and comes back with the answer. */
interface AskedDecision {
  readonly tool: string;
  /** A hash of the tool's arguments. */
  readonly input: string;
  readonly answers: readonly string[];
  readonly subject: DecisionSubject;
}

/** Signs what was asked of one caller: nobody else's, and nothing that was made up, is taken for it. */
export type DecisionStates = RequestStateCodec<AskedDecision>;

/** @param secret at least 32 bytes, known to every server that may get the answer */
export function decisionStates(principal: string, secret: Uint8Array): DecisionStates {
  return createRequestStateCodec({
    key: secret,
    ttlSeconds: answerSeconds,
    bind: ({ mcpReq }) => JSON.stringify([principal, mcpReq.method]),
  });
}

/** A decision that is a person's. */
export interface DecisionQuestion {
  /** What is to be decided, and what would change, in lines. */
  readonly lines: readonly string[];
  /** At least two, such as `forget` and `keep`. None is chosen beforehand. */
  readonly answers: readonly string[];
  /** As it was looked at: what is done with the answer is held against it. */
  readonly subject: DecisionSubject;
  /** By which the person decides where there is no form. */
  readonly command: string;
}

/** What somebody decided. */
export interface DecisionAnswer {
  readonly subject: DecisionSubject;
  /** `undefined`: they closed the form, or answered something else. */
  readonly answer: string | undefined;
}

/** A call of a tool in which a person decides. */
export interface DecidedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly context: ServerContext;
}

/** Asks the person in front of a client. Nothing a model says is an answer: it comes with the form's signed state, or not at all. */
export class PersonDecisions {
  readonly #server: McpServer;
  readonly #states: DecisionStates;

  constructor(server: McpServer, states: DecisionStates) {
    this.#server = server;
    this.#states = states;
  }

  /**
   * What was decided in the form of this call; `undefined` while none was shown.
   *
   * @throws LociError `INVALID_REQUEST` for the form of another tool, or of other arguments
   */
  answerOf({ tool, input, context }: DecidedCall): DecisionAnswer | undefined {
    const asked = context.mcpReq.requestState<AskedDecision>();
    if (asked === undefined) return undefined;
    if (asked.tool !== tool || asked.input !== hashOf(input))
      throw new LociError("INVALID_REQUEST", {
        message: "The person answered the form of another call.",
        advice: "Call the tool again, without requestState: the person is asked anew.",
      });
    const form = z.object({ [field]: z.enum(asked.answers) });
    const answer = acceptedContent(context.mcpReq.inputResponses, field, form)?.[field];
    return { subject: asked.subject, answer };
  }

  /** Shows the form, or says by which command the person decides where the client shows none. */
  async ask(
    { tool, input, context }: DecidedCall,
    { lines, answers, subject, command }: DecisionQuestion,
  ): Promise<InputRequiredResult | CallToolResult> {
    if (!this.#showsForms(context)) return personNeeded("this client shows no forms", command);
    const message = lines.join("\n");
    if (message.length > longestForm) return personNeeded("it is too long for a form", command);
    const requestState = await this.#states.mint({ tool, input: hashOf(input), answers, subject }, context);
    return inputRequired({
      inputRequests: {
        [field]: inputRequired.elicit({
          message,
          requestedSchema: {
            type: "object",
            properties: { [field]: { type: "string", title: "Decision", enum: [...answers] } },
            required: [field],
          },
        }),
      },
      requestState,
    });
  }

  #showsForms({ mcpReq }: ServerContext): boolean {
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const said = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    // Said with each request; by clients of 2025 when they connected.
    // oxlint-disable-next-line typescript/no-deprecated -- For clients of 2025 nothing else tells.
    const { elicitation } = said ?? this.#server.server.getClientCapabilities() ?? {};
    // One that names no kind shows forms: there was nothing else before.
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  }
}

function personNeeded(why: string, command: string): CallToolResult {
  const text = `FAILED_PRECONDITION: A person decides about this, and ${why}.\nTell the user, who can run: ${command}`;
  return { isError: true, content: [{ type: "text", text }] };
}

function hashOf(input: unknown): string {
  return hash("sha256", JSON.stringify(input), "base64url");
}
