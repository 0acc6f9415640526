/** The language server: a workspace, and the editor that shows it. */

import type { Host } from '../../../values/index.js';
import { WorkspaceEngine } from '../evaluation/workspace-engine.js';
import { isConfig, readSettings, versionBy } from '../lint/settings.js';
import { WorkspaceLint } from '../lint/workspace-lint.js';
import { fileOperations } from '../requests/actions/file-renames.js';
import { commandTable, requestTable, serverCapabilities } from '../requests/families.js';
import { type CancelToken, type Client, errorCodes, type RequestContext, RequestError } from '../requests/request.js';
import type { WorkspaceHost } from '../workspace/host.js';
import type { TextChange } from '../workspace/text-changes.js';
import { normalUri } from '../workspace/uris.js';
import { Workspace } from '../workspace/workspace.js';
import { Publisher } from './publisher.js';
import type { RpcConnection, RpcHandler } from './rpc.js';

/** The process, or the page, that a server runs in. */
export interface ServerHost {
  readonly files: WorkspaceHost;
  readonly version: string;
  /** The parts of the platform that built-ins of evaluations use. Default: nothing. */
  readonly builtins?: Host;
  /** Starts a debugger that listens to a port of this machine. */
  debugPort?(): Promise<number>;
  /** The editor is done; `isClean` says whether it asked before. */
  exit?(isClean: boolean): void;
}

/** `MessageType` of the protocol. */
const messageTypes = { warning: 2 } as const;

interface InitializeParams {
  readonly rootUri?: string | null;
  readonly rootPath?: string | null;
  readonly workspaceFolders?: readonly { readonly uri: string }[] | null;
  readonly capabilities?: unknown;
  readonly initializationOptions?: unknown;
}

/** Kinds of `FileChangeType` are not told apart: a file that is gone cannot be read. */
interface WatchedFiles {
  readonly changes?: readonly { readonly uri: string }[];
}

interface ChangedFiles {
  readonly files: readonly { readonly uri: string }[];
}

interface RenamedFiles {
  readonly files: readonly { readonly oldUri: string; readonly newUri: string }[];
}

interface ChangedFolders {
  readonly event: {
    readonly added: readonly { readonly uri: string }[];
    readonly removed: readonly { readonly uri: string }[];
  };
}

function uris(folders: readonly { readonly uri: string }[]): readonly string[] {
  return folders.map(({ uri }) => uri);
}

interface DidOpen {
  readonly textDocument: { readonly uri: string; readonly version: number; readonly text: string };
}

interface DidChange {
  readonly textDocument: { readonly uri: string; readonly version: number };
  readonly contentChanges: readonly TextChange[];
}

interface DidClose {
  readonly textDocument: { readonly uri: string };
}

/** The part of an editor's abilities that tells how diagnostics reach it. */
interface DiagnosticAbilities {
  readonly textDocument?: { readonly publishDiagnostics?: object };
}

/**
 * An editor that takes diagnostics as notifications gets them so, and is not told to ask for them:
 * it would show each one twice. Requests for them have answers all the same.
 */
function abilitiesFor({ capabilities }: Client): Readonly<Record<string, unknown>> {
  const { textDocument } = capabilities as DiagnosticAbilities;
  const { diagnosticProvider, ...others } = serverCapabilities();
  return textDocument?.publishDiagnostics ? others : { diagnosticProvider, ...others };
}

export class LanguageServer implements RpcHandler {
  readonly #host: ServerHost;
  readonly #connection: RpcConnection;
  readonly #requests = requestTable();
  readonly #commands = commandTable();
  #context: RequestContext | undefined;
  #publisher: Publisher | undefined;
  /** Resolves once the files of the workspace were read. */
  #loaded: Promise<void> = Promise.resolve();
  #isShutDown = false;

  constructor(host: ServerHost, connection: RpcConnection) {
    this.#host = host;
    this.#connection = connection;
  }

  async answer(method: string, params: unknown, token: CancelToken): Promise<unknown> {
    if (method === 'initialize') return await this.#initialize((params ?? {}) as InitializeParams);
    const context = this.#context;
    if (context === undefined) throw new RequestError('the server is not initialized', errorCodes.notInitialized);
    if (method === 'shutdown') {
      this.#isShutDown = true;
      this.#publisher?.stop();
      return null;
    }
    if (this.#isShutDown) throw new RequestError('the server is shut down', errorCodes.invalidRequest);
    const handler = this.#requests.get(method);
    if (handler === undefined && method !== 'workspace/executeCommand')
      throw new RequestError(`there is no method ${method}`, errorCodes.methodNotFound);
    await this.#loaded;
    if (token.isCancelled) return null;
    if (handler !== undefined) return await handler(context, params ?? {}, token);
    const { command = '', arguments: args = [] } = (params ?? {}) as {
      readonly command?: string;
      readonly arguments?: readonly unknown[];
    };
    const run = this.#commands.get(command);
    if (run === undefined) throw new RequestError(`there is no command ${command}`, errorCodes.invalidParams);
    return await run(context, args, token);
  }

  notified(method: string, params: unknown): void {
    if (method === 'exit') return this.#host.exit?.(this.#isShutDown);
    const workspace = this.#context?.workspace;
    if (workspace === undefined || this.#isShutDown) return;
    switch (method) {
      case 'initialized':
        this.#loaded = this.#load(workspace);
        return;
      case 'textDocument/didOpen':
        workspace.open((params as DidOpen).textDocument);
        return this.#publisher?.changed();
      case 'textDocument/didChange': {
        const { textDocument, contentChanges } = params as DidChange;
        workspace.change(textDocument.uri, textDocument.version, contentChanges);
        return this.#publisher?.changed();
      }
      case 'textDocument/didClose':
        void workspace.close((params as DidClose).textDocument.uri).then(() => this.#publisher?.changed());
        this.#context?.tokens.delete(normalUri((params as DidClose).textDocument.uri));
        return;
      case 'textDocument/didSave': {
        const { uri } = (params as DidClose).textDocument;
        if (isConfig(uri)) void this.#reread([{ uri }]);
        return;
      }
      case 'workspace/didChangeWatchedFiles':
        void this.#reread((params as WatchedFiles).changes ?? []);
        return;
      case 'workspace/didCreateFiles':
      case 'workspace/didDeleteFiles':
        void this.#reread((params as ChangedFiles).files);
        return;
      case 'workspace/didRenameFiles':
        void this.#reread(
          (params as RenamedFiles).files.flatMap(({ oldUri, newUri }) => [{ uri: oldUri }, { uri: newUri }]),
        );
        return;
      case 'workspace/didChangeWorkspaceFolders': {
        const { added, removed } = (params as ChangedFolders).event;
        void workspace.changeFolders(uris(added), uris(removed)).then(() => this.#readConfig());
      }
    }
  }

  async #initialize(params: InitializeParams): Promise<unknown> {
    const { rootUri, workspaceFolders, capabilities, initializationOptions } = params;
    const folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    const client: Client = {
      capabilities: capabilities ?? {},
      initializationOptions: (initializationOptions ?? {}) as Readonly<Record<string, unknown>>,
      notify: (method, given) => this.#connection.notify(method, given),
      request: (method, given) => this.#connection.request(method, given),
    };
    const { config, problem } = await readSettings(this.#host.files, folders);
    const workspace = new Workspace(this.#host.files, {
      folders,
      regoVersionOf: versionBy(config),
      schemas:
        typeof client.initializationOptions.schemas === 'string' ? client.initializationOptions.schemas : undefined,
    });
    this.#context = {
      workspace,
      client,
      lint: new WorkspaceLint(workspace, config),
      engine: new WorkspaceEngine(workspace, this.#host.builtins ?? {}),
      tokens: new Map(),
      reports: new Map(),
      debugPort: this.#host.debugPort?.bind(this.#host),
    };
    this.#publisher = new Publisher(this.#context);
    if (problem !== undefined) client.notify('window/showMessage', { type: messageTypes.warning, message: problem });
    return {
      serverInfo: { name: 'writ', version: this.#host.version },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true }, fileOperations },
        ...abilitiesFor(client),
      },
    };
  }

  async #load(workspace: Workspace): Promise<void> {
    await workspace.load();
    this.#publisher?.start();
    const { workspace: known } = this.#context!.client.capabilities as {
      readonly workspace?: { readonly didChangeWatchedFiles?: { readonly dynamicRegistration?: boolean } };
    };
    if (known?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const watchers = ['**/*.rego', '**/*.json', '**/*.{yaml,yml}'].map((globPattern) => ({ globPattern }));
    const registrations = [{ id: 'files', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } }];
    // An editor that refuses has its files watched by nobody.
    await this.#connection.request('client/registerCapability', { registrations }).catch(() => undefined);
  }

  async #reread(changes: readonly { readonly uri: string }[]): Promise<void> {
    for (const { uri } of changes) await this.#context?.workspace.reread(uri);
    if (changes.some(({ uri }) => isConfig(uri))) await this.#readConfig();
    this.#publisher?.changed();
  }

  /** Reads the configuration of the linter again. */
  async #readConfig(): Promise<void> {
    const context = this.#context;
    if (context === undefined) return;
    const { workspace, client } = context;
    const { config, problem } = await readSettings(this.#host.files, workspace.folders);
    Object.assign(context, { lint: new WorkspaceLint(workspace, config) });
    if (problem !== undefined) client.notify('window/showMessage', { type: messageTypes.warning, message: problem });
    this.#publisher?.changed();
  }
}
