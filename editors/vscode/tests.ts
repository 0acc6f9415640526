/** The tests of policies in the test explorer, found and run by the language server. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

interface Place {
  readonly row: number;
  readonly col: number;
}

interface TestLocation {
  readonly package: string;
  readonly name: string;
  readonly location: Place;
}

interface TestResult {
  readonly package: string;
  readonly name: string;
  readonly fail?: boolean;
  readonly skip?: boolean;
  readonly error?: { readonly message?: string } | string;
  /** Nanoseconds. */
  readonly duration?: number;
  /** In base64. */
  readonly output?: string;
}

export class RegoTests implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController('writ', 'Rego');
  readonly #client: () => LanguageClient | undefined;

  constructor(client: () => LanguageClient | undefined) {
    this.#client = client;
    this.#controller.createRunProfile(
      'Run',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#run(request, token),
      true,
    );
  }

  /** Shows the tests that a server finds. */
  listen(client: LanguageClient): void {
    this.#controller.items.replace([]);
    client.onNotification(
      'regal/testLocations',
      ({ uri, locations }: { uri: string; locations: readonly TestLocation[] }) =>
        this.#show(vscode.Uri.parse(uri), locations),
    );
  }

  #show(uri: vscode.Uri, locations: readonly TestLocation[]): void {
    if (locations.length === 0) return this.#controller.items.delete(uri.toString());
    const file = this.#controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    for (const { package: name, name: test, location } of locations) {
      const item = this.#controller.createTestItem(`${name}.${test}`, test, uri);
      const at = new vscode.Position(Math.max(0, location.row - 1), Math.max(0, location.col - 1));
      item.range = new vscode.Range(at, at);
      item.description = name;
      file.children.add(item);
    }
    this.#controller.items.add(file);
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const chosen = request.include ?? [...this.#controller.items].map(([, item]) => item);
    const all = chosen.flatMap((item) =>
      item.children.size === 0 ? [item] : [...item.children].map(([, child]) => child),
    );
    for (const item of all) {
      if (token.isCancellationRequested) break;
      if (request.exclude?.includes(item)) continue;
      run.started(item);
      try {
        await this.#runOne(item, run);
      } catch (error) {
        run.errored(item, new vscode.TestMessage((error as Error).message));
      }
    }
    run.end();
  }

  async #runOne(item: vscode.TestItem, run: vscode.TestRun): Promise<void> {
    const params = { uri: item.uri?.toString(), package: item.description, name: item.label };
    const results = await this.#client()?.sendRequest<readonly TestResult[] | null>('regal/runTests', params);
    const result = results?.find(({ name }) => name === item.label);
    if (result === undefined) return run.skipped(item);
    const { fail, error, duration, output, skip } = result;
    if (output) run.appendOutput(textOf(output).replaceAll('\n', '\r\n'), undefined, item);
    const milliseconds = duration === undefined ? undefined : duration / 1e6;
    const text = typeof error === 'string' ? error : error?.message;
    if (skip === true) run.skipped(item);
    else if (text !== undefined) run.errored(item, new vscode.TestMessage(text), milliseconds);
    else if (fail === true) run.failed(item, new vscode.TestMessage('The test is not true.'), milliseconds);
    else run.passed(item, milliseconds);
  }

  dispose(): void {
    this.#controller.dispose();
  }
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
