import type { Program } from '../bytecode/program.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { PlanIndex } from '../evaluation/executable.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import type { Value } from '../values/value.js';
import { objectsInherit } from '../values/value.js';
import { LinkedProgram } from '../vm/linked-program.js';
import { GeneratedProgram } from './generated-program.js';

/** Runs on the VM before functions become JavaScript. */
const warmRuns = 50;

/** A program that the VM runs until it is warm, and generated JavaScript from then on. */
export class TieredProgram extends LinkedProgram {
  readonly #linked: readonly LinkedBuiltin[];
  #runs = 0;
  #generated: GeneratedProgram | undefined;

  constructor(program: Program, linked: readonly LinkedBuiltin[]) {
    super(program, linked);
    this.#linked = linked;
  }

  override run(entrypoint: PlanIndex, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    const generated = this.#tier(evaluation);
    if (generated === undefined || objectsInherit()) return this.runOnVm(entrypoint, input, data, evaluation);
    return generated.run(entrypoint, input, data, evaluation);
  }

  #tier({ codegen }: Evaluation): GeneratedProgram | undefined {
    if (codegen === 'never') return undefined;
    if (this.#generated !== undefined) return this.#generated;
    const { lowered } = this.program;
    if (lowered === undefined || (++this.#runs <= warmRuns && codegen === 'warm') || !mayGenerate()) return undefined;
    const vm = (...run: Parameters<LinkedProgram['runOnVm']>) => this.runOnVm(...run);
    return (this.#generated = new GeneratedProgram(this.program, lowered, this.#linked, vm));
  }
}

let allowed: boolean | undefined;

/** Whether the host lets code be made of text. */
function mayGenerate(): boolean {
  if (allowed === undefined) {
    try {
      allowed = new Function('return true')() as boolean;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}
