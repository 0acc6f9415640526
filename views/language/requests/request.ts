/** Requests of editors: one row of a table for each method. */

import type { Position, TextDocumentIdentifier } from 'vscode-languageserver-types';
import type { WorkspaceEngine } from '../evaluation/workspace-engine.js';
import type { WorkspaceLint } from '../lint/workspace-lint.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { offsetAt } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';

/** Tells whether a request was cancelled. */
export interface CancelToken {
  readonly isCancelled: boolean;
}

/** The editor at the other end. */
export interface Client {
  /** The abilities of the editor, as `initialize` has it. */
  readonly capabilities: unknown;
  readonly initializationOptions: Readonly<Record<string, unknown>>;
  notify(method: string, params: unknown): void;
  /** Rejects if the editor answers with an error. */
  request(method: string, params: unknown): Promise<unknown>;
}

/** The workspace and the editor that a request is about. */
export interface RequestContext {
  readonly workspace: Workspace;
  readonly client: Client;
  readonly lint: WorkspaceLint;
  readonly engine: WorkspaceEngine;
  /** The semantic tokens that the editor has, by the URI of the policy. */
  readonly tokens: Map<string, GivenTokens>;
  /** The last reports of diagnostics that the editor asked for, by the URI of the policy. */
  readonly reports: Map<string, GivenReport>;
  /** Starts a debugger that listens to a port of this machine; undefined where there is none. */
  readonly debugPort: (() => Promise<number>) | undefined;
}

/** The tokens of a text, as they were sent. */
export interface GivenTokens {
  readonly resultId: string;
  readonly data: number[];
}

/** The diagnostics of a policy, as they were sent. */
interface GivenReport {
  readonly resultId: string;
  /** Their JSON. */
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the params of each method are its own
export type RequestHandler = (context: RequestContext, params: any, token: CancelToken) => unknown;

/** The requests of one kind, and what `initialize` says of them. */
export interface RequestFamily {
  /** Members of `ServerCapabilities`. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Handlers by method. */
  readonly requests: Readonly<Record<string, RequestHandler>>;
  /** Handlers of `workspace/executeCommand` by the command's name; they get its arguments. */
  readonly commands?: Readonly<Record<string, CommandHandler>>;
}

export type CommandHandler = (context: RequestContext, args: readonly unknown[], token: CancelToken) => unknown;

/** A request about a document. */
export interface DocumentParams {
  readonly textDocument: TextDocumentIdentifier;
}

export interface PositionParams extends DocumentParams {
  readonly position: Position;
}

/** A request that cannot be done, with a sentence for the user. */
export class RequestError extends Error {
  readonly code: number;

  constructor(message: string, code: number = errorCodes.requestFailed) {
    super(message);
    this.code = code;
  }
}

/** The codes of errors that the protocol names. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  notInitialized: -32002,
  cancelled: -32800,
  requestFailed: -32803,
} as const;

/** The policy of a request; undefined for other documents. */
export function policyOf({ workspace }: RequestContext, { textDocument }: DocumentParams): PolicyFile | undefined {
  return workspace.policy(textDocument.uri);
}

/** The offset of a request in its policy. */
export function offsetOf({ source }: PolicyFile, { position }: PositionParams): number {
  return offsetAt(source, position);
}

/** The argument of a command: an object, or its JSON. */
export function parsedArgument(argument: unknown): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = typeof argument === 'string' ? JSON.parse(argument) : argument;
    if (typeof parsed === 'object' && parsed !== null) return parsed as Readonly<Record<string, unknown>>;
  } catch {
    // The error below names it.
  }
  throw new RequestError('the argument of the command must be an object, or its JSON');
}
