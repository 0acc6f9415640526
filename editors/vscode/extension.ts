/** The extension: the language server of `writ`, its debug adapter, its tests and plans. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, State } from 'vscode-languageclient/node';
import { RegoTests } from './tests';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const tests = new RegoTests(() => client);
  context.subscriptions.push(
    tests,
    vscode.debug.registerDebugAdapterDescriptorFactory('rego', {
      createDebugAdapterDescriptor: ({ configuration }) => adapterOf(configuration),
    }),
    vscode.commands.registerCommand('writ.showPlan', showPlan),
    vscode.commands.registerCommand('writ.restart', () => restart(tests)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('writ.path')) void restart(tests);
    }),
  );
  await start(tests);
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
}

async function restart(tests: RegoTests): Promise<void> {
  await client?.dispose();
  await start(tests);
}

async function start(tests: RegoTests): Promise<void> {
  const started = new LanguageClient(
    'writ',
    'Rego by writ',
    {
      command: commandPath(),
      args: ['language-server'],
      options: { cwd: rootPath(), shell: process.platform === 'win32' },
    },
    {
      documentSelector: [{ language: 'rego' }, { scheme: 'file', pattern: '**/*.{json,yaml,yml}' }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{rego,json,yaml,yml}') },
      initializationOptions: { enableDebugCodelens: true, enableServerTesting: true },
    },
  );
  client = started;
  tests.listen(started);
  started.onRequest('regal/startDebugging', async (configuration: Partial<vscode.DebugConfiguration>) => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    return await vscode.debug.startDebugging(folder, {
      name: 'Rego',
      type: 'rego',
      request: 'launch',
      ...configuration,
    });
  });
  try {
    await started.start();
  } catch (error) {
    if (started.state === State.Running) throw error;
    void vscode.window.showErrorMessage(
      `The language server was not started: ${(error as Error).message}. Is writ installed, or "writ.path" set?`,
    );
  }
}

/** The setting, the workspace's own command, or that of PATH. */
export function commandPath(): string {
  const set = vscode.workspace.getConfiguration('writ').get<string>('path', '');
  if (set !== '') return set;
  const name = process.platform === 'win32' ? 'writ.cmd' : 'writ';
  const own = vscode.workspace.workspaceFolders?.map(({ uri }) => join(uri.fsPath, 'node_modules', '.bin', name));
  return own?.find((path) => existsSync(path)) ?? name;
}

function rootPath(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

/** An adapter that listens, or a new one. */
function adapterOf({ port, debugServer }: vscode.DebugConfiguration): vscode.DebugAdapterDescriptor {
  const listening = (port ?? debugServer) as number | undefined;
  if (listening !== undefined) return new vscode.DebugAdapterServer(listening);
  const cwd = rootPath();
  return new vscode.DebugAdapterExecutable(commandPath(), ['debug', '--dap'], cwd === undefined ? {} : { cwd });
}

/** Opens the inspector of the workspace's policies in the browser. */
function showPlan(): void {
  const folder = rootPath();
  if (folder === undefined) return void vscode.window.showErrorMessage('A plan is made of the policies of a folder.');
  const task = new vscode.Task(
    { type: 'process' },
    vscode.TaskScope.Workspace,
    'Plan',
    'writ',
    new vscode.ProcessExecution(commandPath(), ['inspect', folder, '--web'], { cwd: folder }),
  );
  return void vscode.tasks.executeTask(task);
}
