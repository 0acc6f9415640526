import type { Value } from '../../values/index.js';
import type { Program } from '../bytecode/program.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { type Executable, type PlanIndex, resultOf } from '../evaluation/executable.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import { run } from './run.js';

/** A program and the built-ins that it calls, run by the VM. */
export class LinkedProgram implements Executable {
  /** For packing and for the VM's own tests. */
  readonly program: Program;
  /** Built-ins by their number in the program. */
  readonly linked: readonly LinkedBuiltin[];

  constructor(program: Program, linked: readonly LinkedBuiltin[]) {
    this.program = program;
    this.linked = linked;
  }

  get entrypoints(): ReadonlyMap<string, PlanIndex> {
    return this.program.plans;
  }

  get builtins(): readonly string[] {
    return this.program.builtins;
  }

  run(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    return this.runOnVm(entrypoint, input, data, evaluation);
  }

  decide(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): Value | undefined {
    return resultOf(this.runOnVm(entrypoint, input, data, evaluation));
  }

  runOnVm(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    return run(this, entrypoint, input, data, evaluation);
  }
}
