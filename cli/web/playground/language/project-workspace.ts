/** The files of the page for the language client: all are open, one is in the editor. */
import { type LSPClient, LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client';
import { ChangeSet, Text, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { PlaygroundState } from '../page/playground-state.js';

const root = 'file:///project/';

export function uriOf(file: string): string {
  return root + file.split('/').map(encodeURIComponent).join('/');
}

function fileOf(uri: string): string {
  return uri.slice(root.length).split('/').map(decodeURIComponent).join('/');
}

class ProjectFile implements WorkspaceFile {
  readonly uri: string;
  readonly languageId = 'rego';
  version = 0;
  doc: Text;
  view: EditorView | undefined;

  constructor(uri: string, doc: Text) {
    this.uri = uri;
    this.doc = doc;
  }

  getView(): EditorView | null {
    return this.view ?? null;
  }
}

export class ProjectWorkspace extends Workspace {
  files: ProjectFile[] = [];
  readonly #state: PlaygroundState;
  #shown: EditorView | undefined;

  constructor(client: LSPClient, state: PlaygroundState) {
    super(client);
    this.#state = state;
    this.files = state.files.peek().map(({ file, text }) => new ProjectFile(uriOf(file), textOf(text)));
  }

  /** Opens new files, and closes those that are gone. */
  follow(): void {
    const uris = new Set(this.#state.files.peek().map(({ file }) => uriOf(file)));
    for (const gone of this.files.filter(({ uri }) => !uris.has(uri))) {
      this.files = this.files.filter((one) => one !== gone);
      this.client.didClose(gone.uri);
    }
    for (const { file, text } of this.#state.files.peek()) {
      if (this.getFile(uriOf(file)) !== null) continue;
      const added = new ProjectFile(uriOf(file), textOf(text));
      this.files.push(added);
      this.client.didOpen(added);
    }
    this.client.sync();
  }

  syncFiles() {
    return this.files.flatMap((file) => {
      const { doc: prevDoc, view } = file;
      const plugin = view && LSPPlugin.get(view);
      if (view !== undefined && plugin) {
        const changes = plugin.unsyncedChanges;
        if (changes.empty) return [];
        file.doc = view.state.doc;
        file.version++;
        plugin.clear();
        return [{ file, prevDoc, changes }];
      }
      const text = this.#state.files.peek().find((one) => uriOf(one.file) === file.uri)?.text;
      if (text === undefined || text === prevDoc.toString()) return [];
      file.doc = textOf(text);
      file.version++;
      return [
        { file, prevDoc, changes: ChangeSet.of({ from: 0, to: prevDoc.length, insert: file.doc }, prevDoc.length) },
      ];
    });
  }

  openFile(uri: string, _languageId: string, view: EditorView): void {
    this.#shown = view;
    const known = this.getFile(uri) as ProjectFile | null;
    const file = known ?? new ProjectFile(uri, view.state.doc);
    file.view = view;
    if (known === null) {
      this.files.push(file);
      this.client.didOpen(file);
    } else if (!file.doc.eq(view.state.doc)) {
      // Text that came while the file was not in the editor is told as a whole.
      this.client.didClose(uri);
      file.doc = view.state.doc;
      this.client.didOpen(file);
    }
  }

  closeFile(uri: string): void {
    const file = this.getFile(uri) as ProjectFile | null;
    if (file !== null) file.view = undefined;
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    const view = this.getFile(uri)?.getView();
    if (view) return view.dispatch(update);
    const text = this.#state.files.peek().find((one) => uriOf(one.file) === uri)?.text;
    if (text === undefined || update.changes === undefined) return;
    const doc = textOf(text);
    const changes = ChangeSet.of(update.changes, doc.length);
    this.#state.write(fileOf(uri), changes.apply(doc).toString());
    this.client.sync();
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    const file = fileOf(uri);
    if (!this.#state.files.peek().some((one) => one.file === file)) return null;
    this.#state.open.value = file;
    return this.#shown ?? null;
  }
}

function textOf(text: string): Text {
  return Text.of(text.split('\n'));
}
