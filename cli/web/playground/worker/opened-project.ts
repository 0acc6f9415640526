/** The policies and data of the page as an engine, compiled once for what does not change. */

import { type Compiled, CompileErrors, compileErrors, type Module, parseModule } from '../../../../compiler/index.js';
import { createContext, Engine, type PolicyRecord } from '../../../../engine/index.js';
import { webPlatform } from '../../../../library/parts.js';
import { builtins, isObject, type PlainObject } from '../../../../values/index.js';
import type { PageSource } from '../../data/page-data.js';
import { readDocument } from '../../worker/shown-results.js';
import type { PlaygroundProject } from './protocol.js';

export interface OpenedProject {
  readonly engine: Engine;
  readonly compiled: Compiled;
  readonly data: PlainObject;
  readonly compileMs: number;
}

/** The project that was asked about last stays open. */
export class OpenProjects {
  #last: (Pick<PlaygroundProject, 'files' | 'data'> & { readonly opened: OpenedProject }) | undefined;

  /** Rejects with CompileErrors: of all files that do not parse, or else of the compiler. */
  async open({ files, data }: PlaygroundProject): Promise<OpenedProject> {
    if (this.#last !== undefined && this.#last.data === data && areSame(this.#last.files, files))
      return this.#last.opened;
    const opened = await openProject(files, data);
    this.#last = { files, data, opened };
    return opened;
  }
}

async function openProject(files: readonly PageSource[], data: string): Promise<OpenedProject> {
  const started = performance.now();
  const document = readData(data);
  const parsed = new Map(
    parseAll(files).map((module, i): [string, PolicyRecord] => {
      const { file, text } = files[i]!;
      return [file, { id: file, raw: text, module, bundle: undefined }];
    }),
  );
  await webPlatform.loadBuiltins!();
  const engine = new Engine({
    context: createContext({ host: webPlatform.host }),
    data: document,
    builtins,
  });
  await engine.commit({ parsed });
  const compiled = await engine.compiled();
  return { engine, compiled, data: document, compileMs: performance.now() - started };
}

/** The base document of a text. Throws where it is none. */
export function readData(text: string): PlainObject {
  const document = readDocument('data', text) ?? {};
  if (!isObject(document)) throw new Error('data: the base document must be an object');
  return document as PlainObject;
}

function areSame(a: readonly PageSource[], b: readonly PageSource[]): boolean {
  return a.length === b.length && a.every(({ file, text }, i) => b[i]!.file === file && b[i]!.text === text);
}

function parseAll(files: readonly PageSource[]): readonly Module[] {
  const problems: CompileErrors['diagnostics'][number][] = [];
  const modules = files.flatMap(({ file, text }) => {
    try {
      return [parseModule(file, text)];
    } catch (error) {
      if (!(error instanceof CompileErrors)) throw error;
      problems.push(...error.diagnostics);
      return [];
    }
  });
  if (problems.length > 0) throw compileErrors(problems);
  return modules;
}
