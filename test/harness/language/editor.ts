/** An editor without a window: files in memory, and a language server over messages. */

import type { Diagnostic, Position, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { Source } from '../../../compiler/source/source.js';
import { LanguageServer } from '../../../views/language/connection/language-server.js';
import type { Message } from '../../../views/language/connection/messages.js';
import { RpcConnection } from '../../../views/language/connection/rpc.js';
import { offsetAt, rangeBetween } from '../../../views/language/workspace/positions.js';

/** The folder of all files. */
const root = 'file:///project';

export class Editor {
  /** The texts by path, as the editor has them. */
  readonly texts = new Map<string, string>();
  readonly notices: Message[] = [];
  /** The answer of the server to `initialize`. */
  initialized: unknown;
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly #connection: RpcConnection;
  #lastId = 0;
  #version = 1;

  private constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) this.texts.set(path, text);
    const host = {
      list: () => [...this.texts.keys()].filter((path) => !path.startsWith('.')).map((path) => this.uri(path)),
      read: async (uri: string) => this.texts.get(this.path(uri)),
    };
    this.#connection = new RpcConnection(
      (message) => this.#receive(message),
      (self) => new LanguageServer({ files: host, version: '1.0.0' }, self),
    );
  }

  /** Starts a server over files, of which all policies are open. */
  static async open(
    files: Readonly<Record<string, string>>,
    initializationOptions: object = {},
    capabilities: { readonly textDocument?: object; readonly workspace?: object } = {},
  ): Promise<Editor> {
    const editor = new Editor(files);
    editor.initialized = await editor.ask('initialize', {
      rootUri: root,
      capabilities: {
        ...capabilities,
        textDocument: { completion: { completionItem: { snippetSupport: true } }, ...capabilities.textDocument },
      },
      initializationOptions,
    });
    editor.tell('initialized', {});
    for (const path of editor.texts.keys()) if (path.endsWith('.rego')) editor.show(path);
    return editor;
  }

  uri(path: string): string {
    return `${root}/${path}`;
  }

  path(uri: string): string {
    return decodeURIComponent(uri.slice(root.length + 1));
  }

  show(path: string): void {
    const textDocument = { uri: this.uri(path), languageId: 'rego', version: this.#version++, text: this.texts.get(path) };
    this.tell('textDocument/didOpen', { textDocument });
  }

  /** Replaces the text of an open file. */
  type(path: string, text: string): void {
    this.texts.set(path, text);
    const textDocument = { uri: this.uri(path), version: this.#version++ };
    this.tell('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
  }

  ask<Result>(method: string, params: object): Promise<Result> {
    const id = ++this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#connection.receive({ jsonrpc: '2.0', id, method, params });
    });
  }

  tell(method: string, params: object): void {
    this.#connection.receive({ jsonrpc: '2.0', method, params });
  }

  /** Asks about the place in a file where a text begins, or a character further on. */
  at<Result>(method: string, path: string, needle: string, more: object = {}, skip = 0): Promise<Result> {
    return this.ask<Result>(`textDocument/${method}`, {
      textDocument: { uri: this.uri(path) },
      position: this.place(path, needle, skip),
      ...more,
    });
  }

  place(path: string, needle: string, skip = 0): Position {
    const text = this.texts.get(path)!;
    const offset = text.indexOf(needle);
    if (offset < 0) throw new Error(`${path} has no ${needle}`);
    return positionOf(text, offset + skip);
  }

  /** The diagnostics of a file now, by request. */
  async diagnostics(path: string): Promise<readonly Diagnostic[]> {
    const { items } = await this.ask<{ items: readonly Diagnostic[] }>('textDocument/diagnostic', {
      textDocument: { uri: this.uri(path) },
    });
    return items;
  }

  /** The diagnostics that the server sent last. */
  published(path: string): readonly Diagnostic[] {
    return this.#diagnostics.get(this.uri(path)) ?? [];
  }

  /** Makes an edit of several files, as an editor does. */
  apply({ changes = {}, documentChanges = [] }: WorkspaceEdit): void {
    const all: [string, readonly TextEdit[]][] = Object.entries(changes);
    for (const change of documentChanges) {
      if ('textDocument' in change) all.push([change.textDocument.uri, change.edits as TextEdit[]]);
      else if (change.kind === 'rename') {
        this.texts.set(this.path(change.newUri), this.texts.get(this.path(change.oldUri))!);
        this.texts.delete(this.path(change.oldUri));
      }
    }
    for (const [uri, edits] of all) {
      const path = this.path(uri);
      const text = edited(this.texts.get(path) ?? '', edits);
      if (path.endsWith('.rego')) this.type(path, text);
      else {
        this.texts.set(path, text);
        this.tell('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
      }
    }
  }

  #receive(message: Message): void {
    const { id, method, params, result, error } = message;
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] };
      this.#diagnostics.set(uri, diagnostics);
    } else if (method !== undefined && id !== undefined) {
      if (method === 'workspace/applyEdit') this.apply((params as { edit: WorkspaceEdit }).edit);
      this.notices.push(message);
      this.#connection.receive({ jsonrpc: '2.0', id, result: { applied: true } });
    } else if (method !== undefined) this.notices.push(message);
    else {
      const waiting = this.#waiting.get(id as number);
      this.#waiting.delete(id as number);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    }
  }
}

/** The position of an offset of a text. */
export function positionOf(text: string, offset: number): Position {
  return rangeBetween(new Source('', text), offset, offset).start;
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const source = new Source('', text);
  return edits
    .map(({ range, newText }) => ({ start: offsetAt(source, range.start), end: offsetAt(source, range.end), newText }))
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end, newText }) => all.slice(0, start) + newText + all.slice(end), text);
}
