/**
 * The expressions that a decision evaluates, as a short text: decisions with one text have one
 * cause, so that a cause is explained once.
 */

import { type Probes, probeName } from '../../compiler/index.js';
import { type DecideOptions, type PreparedProgram, planProgram, sourcesOf } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import { arg, type Builtin, number, builtins as ownBuiltins, type Value } from '../../values/index.js';
import { type PolicyVersion, segmentsFor } from './policy-version.js';

/** Programs that are kept. */
const mostPrograms = 100;

/** The most probes that a decision passes before it counts as one of its own. */
const mostProbes = 100_000;

export class RuleTraces {
  readonly #version: PolicyVersion;
  readonly #programs = new Map<string, Promise<PreparedProgram | undefined>>();
  readonly #passed = new Set<number>();
  #count = 0;
  #numbered = 0;

  constructor(version: PolicyVersion) {
    this.#version = version;
  }

  /** Undefined where there is no policy source, or the decision is too long. */
  async traceOf(path: string, input: Value | undefined, options: DecideOptions): Promise<string | undefined> {
    const program = await this.#program(path);
    if (program === undefined) return undefined;
    this.#passed.clear();
    this.#count = 0;
    let end = '';
    try {
      program.runAtOnce(planName, input, options);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      end = error.code;
    }
    return this.#count > mostProbes ? undefined : `${end}${[...this.#passed].sort((a, b) => a - b).join(' ')}`;
  }

  #program(path: string): Promise<PreparedProgram | undefined> {
    let program = this.#programs.get(path);
    if (program === undefined) {
      if (this.#programs.size >= mostPrograms) this.#programs.delete(this.#programs.keys().next().value!);
      this.#programs.set(path, (program = this.#planned(path)));
    }
    return program;
  }

  async #planned(path: string): Promise<PreparedProgram | undefined> {
    const { engine, beside } = this.#version;
    const segments = segmentsFor(this.#version, path);
    if (segments.length === 0) return undefined;
    const compiled = await sourcesOf(engine, engine.version, segments, beside);
    if (compiled === undefined) return undefined;
    // Each rule is tried, as an explanation tries it.
    const options = { probes: this.#probes, builtins: [this.#probe], ruleIndex: false, earlyExit: false };
    return await planProgram(compiled, [{ name: planName, path: segments }], options, {
      builtins: compiled.options.builtins ?? ownBuiltins,
      data: engine.store.root,
      context: engine.context,
    });
  }

  readonly #probes: Probes = {
    before: () => this.#numbered++,
    wantsValues: () => false,
    after: () => this.#numbered++,
  };

  readonly #probe: Builtin = {
    name: probeName,
    args: [arg('probe', number)],
    result: undefined,
    body: (probe: number) => {
      this.#count++;
      this.#passed.add(probe);
      return true;
    },
  };
}

const planName = 'traced';
