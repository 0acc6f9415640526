/** The page's client of its language service: diagnostics with fixes, completion, renaming. */

import { type Action, type Diagnostic, setDiagnostics } from '@codemirror/lint';
import {
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  renameKeymap,
  serverCompletion,
  signatureHelp,
} from '@codemirror/lsp-client';
import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-types';
import type { PlaygroundState } from '../page/playground-state.js';
import { ProjectWorkspace, uriOf } from './project-workspace.js';

const severities = ['error', 'error', 'warning', 'info', 'hint'] as const;

export class LanguageClient {
  readonly #client: LSPClient;
  readonly #workspace: ProjectWorkspace;
  /** The diagnostics that were published last, by address of a file. */
  readonly #published = new Map<string, readonly lsp.Diagnostic[]>();
  #view: EditorView | undefined;

  constructor(state: PlaygroundState) {
    const worker = new Worker(new URL('language.js', document.baseURI), { type: 'module', name: 'language' });
    let workspace: ProjectWorkspace | undefined;
    this.#client = new LSPClient({
      rootUri: 'file:///project/',
      timeout: 10_000,
      workspace: (client) => (workspace = new ProjectWorkspace(client, state)),
      notificationHandlers: {
        'textDocument/publishDiagnostics': (_client, params: { uri: string; diagnostics: lsp.Diagnostic[] }) => {
          this.#published.set(params.uri, params.diagnostics);
          void this.#show(params.uri);
          return true;
        },
      },
      extensions: [
        serverCompletion(),
        hoverTooltips(),
        signatureHelp(),
        keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      ],
    });
    this.#workspace = workspace!;
    const heard = new Map<(text: string) => void, (event: MessageEvent<string>) => void>();
    this.#client.connect({
      send: (text) => worker.postMessage(text),
      subscribe: (handler) => {
        const listener = ({ data }: MessageEvent<string>) => handler(data);
        heard.set(handler, listener);
        worker.addEventListener('message', listener);
      },
      unsubscribe: (handler) => worker.removeEventListener('message', heard.get(handler)!),
    });
  }

  /** The extension of an editor's state for a file. */
  extensionFor(file: string): Extension {
    return this.#client.plugin(uriOf(file), 'rego');
  }

  /** The editor in which diagnostics are shown. */
  attach(view: EditorView): void {
    this.#view = view;
  }

  /** Called when files were added, removed or written. */
  follow(): void {
    this.#workspace.follow();
  }

  /** Shows the diagnostics of a file, if it is in the editor. */
  showFile(file: string): void {
    void this.#show(uriOf(file));
  }

  async #show(uri: string): Promise<void> {
    const view = this.#view;
    const published = this.#published.get(uri);
    if (view === undefined || published === undefined || LSPPlugin.get(view)?.uri !== uri) return;
    view.dispatch(setDiagnostics(view.state, this.#diagnostics(view, published, [])));
    if (published.length === 0) return;
    const { doc } = view.state;
    const fixes = await this.#fixes(uri, published);
    // A text that changed meanwhile gets other diagnostics.
    if (view.state.doc === doc && this.#published.get(uri) === published)
      view.dispatch(setDiagnostics(view.state, this.#diagnostics(view, published, fixes)));
  }

  #diagnostics(
    view: EditorView,
    published: readonly lsp.Diagnostic[],
    fixes: readonly (readonly Action[])[],
  ): Diagnostic[] {
    const plugin = LSPPlugin.get(view)!;
    return published.map(({ range, severity = 1, message, code, source }, i) => ({
      from: plugin.fromPosition(range.start),
      to: plugin.fromPosition(range.end),
      severity: severities[severity] ?? 'error',
      source: [source, code].filter((part) => part !== undefined).join(' '),
      message: typeof message === 'string' ? message : message.value,
      actions: fixes[i] ?? [],
    }));
  }

  /** The quick fixes of each diagnostic. */
  async #fixes(uri: string, published: readonly lsp.Diagnostic[]): Promise<readonly (readonly Action[])[]> {
    return await Promise.all(
      published.map(async (diagnostic) => {
        const params = {
          textDocument: { uri },
          range: diagnostic.range,
          context: { diagnostics: [diagnostic], only: ['quickfix'] },
        };
        const found = await this.#client
          .request<typeof params, lsp.CodeAction[] | null>('textDocument/codeAction', params)
          .catch(() => null);
        return (found ?? []).flatMap(({ title, edit }): Action[] =>
          edit === undefined ? [] : [{ name: title, apply: () => this.#apply(edit) }],
        );
      }),
    );
  }

  #apply({ changes = {}, documentChanges = [] }: lsp.WorkspaceEdit): void {
    const edits = new Map(Object.entries(changes));
    for (const change of documentChanges)
      if ('edits' in change) edits.set(change.textDocument.uri, change.edits as lsp.TextEdit[]);
    for (const [uri, all] of edits) {
      const file = this.#workspace.getFile(uri);
      const view = this.#view;
      const plugin = view && LSPPlugin.get(view);
      if (file === null || !plugin) continue;
      const doc = file.getView()?.state.doc ?? file.doc;
      const at = (position: lsp.Position) => plugin.fromPosition(position, doc);
      this.#workspace.updateFile(uri, {
        changes: all.map(({ range, newText }) => ({ from: at(range.start), to: at(range.end), insert: newText })),
        userEvent: 'input.fix',
      });
    }
  }
}
