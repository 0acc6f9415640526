/** Sends diagnostics after changes, of the files that have other ones than before. */

import type { Diagnostic } from 'vscode-languageserver-types';
import { diagnosticsOf } from '../requests/diagnostics/diagnostics.js';
import type { RequestContext } from '../requests/request.js';
import { TestLocations } from './test-locations.js';

/** Changes that follow each other within this time, in milliseconds, are looked at together. */
const quietMs = 5;

/** Milliseconds without a change until the rules run that look at all files. */
const togetherMs = 250;

export class Publisher {
  readonly #context: RequestContext;
  readonly #tests: TestLocations;
  /** The diagnostics that were sent, by URI, as text. */
  readonly #sent = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  #isStarted = false;
  /** Grows with each change: a run for an older one ends. */
  #round = 0;

  constructor(context: RequestContext) {
    this.#context = context;
    this.#tests = new TestLocations(context);
  }

  /** The files were read: diagnostics are sent from now on. */
  start(): void {
    this.#isStarted = true;
    this.changed();
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#slowTimer);
    this.#round++;
    this.#isStarted = false;
  }

  changed(): void {
    if (!this.#isStarted) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#slowTimer);
    const round = ++this.#round;
    this.#timer = setTimeout(() => void this.#publish(round), quietMs);
    this.#slowTimer = setTimeout(() => void this.#publishTogether(round), togetherMs);
  }

  /** The errors of all files, and the findings in those that the user sees. */
  async #publish(round: number): Promise<void> {
    const { workspace, lint } = this.#context;
    for (const { uri } of workspace.openDocuments) {
      const policy = workspace.policy(uri);
      if (policy !== undefined) await lint.lintAlone(policy);
    }
    if (round === this.#round) this.#sendAll();
  }

  async #publishTogether(round: number): Promise<void> {
    await this.#context.lint.lintTogether(() => round !== this.#round);
    if (round === this.#round) this.#sendAll();
  }

  #sendAll(): void {
    const { workspace } = this.#context;
    const left = new Set(this.#sent.keys());
    for (const policy of workspace.policies) {
      const uri = workspace.editorUri(policy.uri);
      left.delete(uri);
      this.#send(uri, diagnosticsOf(policy, this.#context));
    }
    for (const uri of left) this.#send(uri, []);
    this.#tests.tell();
  }

  #send(uri: string, diagnostics: readonly Diagnostic[]): void {
    const text = JSON.stringify(diagnostics);
    if ((this.#sent.get(uri) ?? '[]') === text) return;
    this.#sent.set(uri, text);
    const version = this.#context.workspace.openDocument(uri)?.version;
    this.#context.client.notify('textDocument/publishDiagnostics', {
      uri,
      ...(version !== undefined && { version }),
      diagnostics,
    });
  }
}
