/** Evaluation of the policies of a workspace, as far as they have no errors. */

import { type Module, moduleToJson } from '../../../compiler/index.js';
import { createContext, Engine, type Explanation, type PolicyRecord } from '../../../engine/index.js';
import type { Host, PlainObject, Value } from '../../../values/index.js';
import { documentOf, documentsOf, isInput } from '../lint/documents.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import type { DataFile, Workspace } from '../workspace/workspace.js';
import type { CoveredLines } from './coverage.js';

/** The value of a document, or of a test. */
export interface Evaluated {
  /** Undefined where the document is. */
  readonly value: Value | undefined;
  /** Lines that `print` wrote, with the place of the call (`file:row`). */
  readonly printed: readonly { readonly line: string; readonly place: string | undefined }[];
  readonly error: string | undefined;
  readonly explanation: Explanation | undefined;
  readonly nanoseconds: number;
}

/** The longest time of an evaluation, in milliseconds. */
const longestMs = 10_000;

export class WorkspaceEngine {
  readonly #workspace: Workspace;
  readonly #engine: Engine;
  /** The modules of the last commit, by name. */
  #committed = new Map<string, Module>();
  #documents: PlainObject = {};

  constructor(workspace: Workspace, host: Host) {
    this.#workspace = workspace;
    this.#engine = new Engine({ context: createContext({ host }), data: {} });
  }

  /** The engine with the policies and documents of now. Rejects with CompileErrors. */
  async current(): Promise<Engine> {
    const modules = new Map([...this.#workspace.compiled.modules].map(([name, { parsed }]) => [name, parsed]));
    const parsed = new Map<string, PolicyRecord>();
    for (const [name, module] of modules)
      if (this.#committed.get(name) !== module) parsed.set(name, { id: name, raw: '', module, bundle: undefined });
    const policies = new Map<string, undefined>();
    for (const name of this.#committed.keys()) if (!modules.has(name)) policies.set(name, undefined);
    const documents = documentsOf([...this.#workspace.dataFiles].filter(isData));
    const isSame = JSON.stringify(documents) === JSON.stringify(this.#documents);
    await this.#engine.commit({
      parsed,
      policies,
      ...(!isSame && { data: [{ op: 'replace' as const, path: [], value: documents }] }),
    });
    this.#committed = modules;
    this.#documents = documents;
    return this.#engine;
  }

  /** Evaluates a document. `why` tells whether it is explained. */
  async evaluate(path: readonly string[], input: Value | undefined, why = false): Promise<Evaluated> {
    const printed: { line: string; place: string | undefined }[] = [];
    const started = performance.now();
    const options = {
      timeMs: longestMs,
      onPrint: (line: string, place: string | undefined) => void printed.push({ line, place }),
      onRestart: () => void (printed.length = 0),
    };
    const finish = (value: Value | undefined, explanation?: Explanation): Evaluated => {
      const nanoseconds = Math.round((performance.now() - started) * 1e6);
      return { value, printed, error: undefined, explanation, nanoseconds };
    };
    try {
      const engine = await this.current();
      if (!why) return await engine.decide(path, input, options, ({ value }) => finish(value));
      const { explainDecision } = await import('../../../engine/why/why-decision.js');
      return await explainDecision(engine, { path, input }, options, ({ value, explanation }) =>
        finish(value, explanation),
      );
    } catch (error) {
      return { ...finish(undefined), error: (error as Error).message };
    }
  }

  /** The lines of a policy that tests reach. Rejects with CompileErrors. */
  async coverage({ name }: PolicyFile, tests: readonly (readonly string[])[]): Promise<CoveredLines> {
    const engine = await this.current();
    const { coveredLines } = await import('./coverage.js');
    return await coveredLines(name, tests, { compiled: this.#workspace.compiled, engine, documents: this.#documents });
  }

  /** The input of a policy: a file beside it or above, or its own tree where it asks so. */
  inputOf(policy: PolicyFile): Value | undefined {
    const [first = ''] = policy.text.split('\n', 1);
    if (/^#\s*regal eval:\s*use-as-input/.test(first) && policy.module) return moduleToJson(policy.module) as Value;
    const file = this.inputFile(policy);
    return file && documentOf(file);
  }

  inputFile({ name }: PolicyFile): DataFile | undefined {
    const folders = name.split('/').slice(0, -1);
    const inputs = new Map([...this.#workspace.dataFiles].filter(isInput).map((file) => [file.name, file]));
    for (let length = folders.length; length >= 0; length--) {
      const folder = folders
        .slice(0, length)
        .map((part) => `${part}/`)
        .join('');
      for (const ending of ['json', 'yaml', 'yml']) {
        const file = inputs.get(`${folder}input.${ending}`);
        if (file !== undefined) return file;
      }
    }
    return undefined;
  }
}

/** Files that evaluations load as documents. */
function isData({ name }: DataFile): boolean {
  return /(?:^|\/)data\.(?:json|ya?ml)$/.test(name);
}
