/** Sends diagnostics after changes, of the files that have other ones than before. */

import type { Diagnostic } from 'vscode-languageserver-types';
import { diagnosticsOf } from '../requests/diagnostics.js';
import type { Client } from '../requests/request.js';
import type { Workspace } from '../workspace/workspace.js';

/** Changes that follow each other within this time, in milliseconds, are looked at together. */
const quietMs = 5;

export class Publisher {
  readonly #workspace: Workspace;
  readonly #client: Client;
  /** What was sent, by URI, as text. */
  readonly #sent = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStarted = false;

  constructor(workspace: Workspace, client: Client) {
    this.#workspace = workspace;
    this.#client = client;
  }

  /** The files were read: diagnostics are sent from now on. */
  start(): void {
    this.#isStarted = true;
    this.publish();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#isStarted = false;
  }

  changed(): void {
    if (!this.#isStarted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.publish(), quietMs);
  }

  publish(): void {
    const left = new Set(this.#sent.keys());
    for (const policy of this.#workspace.policies) {
      const uri = this.#workspace.editorUri(policy.uri);
      left.delete(uri);
      this.#send(uri, diagnosticsOf(policy, this.#workspace));
    }
    for (const uri of left) this.#send(uri, []);
  }

  #send(uri: string, diagnostics: readonly Diagnostic[]): void {
    const text = JSON.stringify(diagnostics);
    if ((this.#sent.get(uri) ?? '[]') === text) return;
    this.#sent.set(uri, text);
    const version = this.#workspace.openDocument(uri)?.version;
    this.#client.notify('textDocument/publishDiagnostics', {
      uri,
      ...(version !== undefined && { version }),
      diagnostics,
    });
  }
}
