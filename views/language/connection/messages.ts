/** Messages of JSON-RPC 2.0, as editors and servers send them. */

export type MessageId = number | string | null;

/** A message that was received; which members it has tells its kind. */
export interface Message {
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends a message to the editor. */
export type Send = (message: Message & { readonly jsonrpc: '2.0' }) => void;
