/** Decisions of a module, for its exported functions. */

import type { Host, Json, Value } from '../../../values/index.js';
import { CacheSet, isObject, jsonValue, objectsInherit, placeOf, toPlain, watchWork } from '../../../values/index.js';
import { AnswerRecord } from '../../evaluation/answer-record.js';
import { ArrayIndexes } from '../../evaluation/array-indexes.js';
import type { EngineContext } from '../../evaluation/engine-context.js';
import { Evaluation, EvaluationPool } from '../../evaluation/evaluation.js';
import { EvaluationError } from '../../evaluation/evaluation-errors.js';
import type { ActivationOrigins } from '../activation.js';
import type { GeneratedFunctions } from '../generated.js';
import { GeneratedProgram } from '../generated-program.js';
import { ModuleError, type ModuleErrorCode } from './module-error.js';
import { checkModuleOptions, type ModuleOptions } from './module-options.js';

/** The tables of a program that its module contains. */
interface ModuleProgram {
  readonly functions: GeneratedFunctions;
  /** Names of functions, by number. */
  readonly names: readonly string[];
  readonly files: readonly string[];
  /** File, row and column of statements, three numbers each. */
  readonly places: readonly number[];
  /** The functions of entrypoints. */
  readonly plans: { readonly [entrypoint: string]: number };
  readonly host: Host;
  /** The document that `opa.runtime` answers by default. */
  readonly runtime: Value;
}

const noOptions: ModuleOptions = {};

/** The decisions of a module over some documents. */
export class ModulePolicy {
  readonly #module: ModuleProgram;
  readonly #program: GeneratedProgram;
  readonly #context: EngineContext;
  readonly #evaluations: EvaluationPool;
  #data: Value;

  constructor(module: ModuleProgram, data: unknown) {
    this.#module = module;
    this.#program = new GeneratedProgram(module.functions, originsOf(module), overflowed);
    const { host, runtime } = module;
    this.#context = { host, caches: new CacheSet(), runtime, dataIndexes: new ArrayIndexes() };
    this.#evaluations = new EvaluationPool(this.#context);
    this.#data = documents(data);
  }

  /** The base documents. */
  get data(): unknown {
    return this.#data;
  }

  /** Replaces all base documents. Throws a ModuleError where they are no JSON object. */
  setData(data: unknown): void {
    this.#data = documents(data);
  }

  /** The same decisions over other documents. */
  withData(data: unknown): ModulePolicy {
    return new ModulePolicy(this.#module, data);
  }

  /** The document of an entrypoint as plain JSON; undefined where it is undefined. */
  decide(entrypoint: string, input?: unknown, options: ModuleOptions = noOptions): Json | undefined {
    const value = this.#evaluate(entrypoint, input, options, (...run) => this.#program.decide(...run));
    return value === undefined ? undefined : plainResult(value);
  }

  /** The whole result set of an entrypoint: objects of bindings. */
  resultSet(entrypoint: string, input?: unknown, options: ModuleOptions = noOptions): readonly Json[] {
    const results = this.#evaluate(entrypoint, input, options, (...run): readonly Value[] => {
      if (this.#module.functions.decision?.(run[0]) === undefined) return this.#program.run(...run);
      const value = this.#program.decide(...run);
      return value === undefined ? [] : [{ result: value }];
    });
    return results.map(plainResult);
  }

  #evaluate<T>(
    entrypoint: string,
    given: unknown,
    options: ModuleOptions,
    run: (...run: Parameters<GeneratedProgram['run']>) => T,
  ): T {
    const { plans } = this.#module;
    if (!Object.hasOwn(plans, entrypoint)) {
      const names = Object.keys(plans).join(', ');
      throw new ModuleError(
        'undefined_entrypoint',
        `there is no entrypoint ${JSON.stringify(entrypoint)}; entrypoints are ${names}`,
      );
    }
    if (options !== noOptions) checkModuleOptions(options);
    // Generated code takes each property of a plain object for a key of the document.
    if (objectsInherit())
      throw new EvaluationError('eval_internal_error', 'a script has added properties to Object.prototype');
    const input = given === undefined ? undefined : jsonOf(given, 'input', 'invalid_input');
    const evaluation = this.#begin(options);
    const before = watchWork(evaluation.meter);
    try {
      const results = run(plans[entrypoint]!, input, this.#data, evaluation);
      if (options.runtime === undefined) this.#evaluations.give(evaluation);
      return results;
    } finally {
      watchWork(before);
    }
  }

  #begin(options: ModuleOptions): Evaluation {
    const { runtime } = options;
    return runtime === undefined
      ? this.#evaluations.take(options)
      : new Evaluation({ ...this.#context, runtime }, options, new AnswerRecord());
  }
}

/** There is no machine beside the generated code, whose calls are calls of JavaScript. */
function overflowed(): never {
  throw new EvaluationError('eval_cancel_error', 'calls nest deeper than the stack of JavaScript allows');
}

function originsOf({ names, files, places }: ModuleProgram): ActivationOrigins {
  const place = (origin: number) => {
    const [file = -1, row = 0, col = 0] = places.slice(origin * 3, origin * 3 + 3);
    return { file: files[file] ?? '', row, col };
  };
  return { place, entry: (func, origin) => ({ name: names[func] ?? '', ...place(origin) }) };
}

function documents(data: unknown): Value {
  const value = jsonOf(data, 'data', 'invalid_data');
  if (!isObject(value)) throw new ModuleError('invalid_data', 'data is no object');
  return value;
}

function jsonOf(value: unknown, name: string, code: ModuleErrorCode): Value {
  return jsonValue(value, ({ path, problem }) => new ModuleError(code, `${placeOf(name, path)} ${problem}`));
}

function plainResult(value: Value): Json {
  try {
    return toPlain(value);
  } catch (error) {
    if (error instanceof RangeError) throw new EvaluationError('eval_internal_error', 'the result nests too deeply');
    throw error;
  }
}
