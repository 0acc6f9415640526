/** The check of a decision's inputs for JSON, which learns their usual shape. */

import { type CodegenMode, mayGenerate } from '../../runtime/index.js';
import { isPlainJson } from '../../values/index.js';
import { InputShape } from './input-shape.js';
import { shapeCheck, unlessTooDeep } from './shape-code.js';

/** Inputs that the general check takes before a shape is worth its code. */
const warmInputs = 500;

const samples = 32;

/** Places of a shape: keys, and arrays by their elements. */
const mostPlaces = 256;

/** Parts of another shape before their share is looked at. */
const manyMisses = 256;

/** The most shapes that a decision learns; later inputs are checked without. */
const mostShapes = 4;

/** Shared by the decisions of an engine: checks that may still be generated. */
export interface CheckBudget {
  checks: number;
}

/** A new budget for the decisions of an engine. */
export const checkBudget = (codegen: CodegenMode | undefined): CheckBudget => ({
  checks: codegen === 'never' ? 0 : 64,
});

export class InputCheck {
  /** The check of the shape that was learned: false where the check of `inputValue` has to tell. */
  quick: ((input: unknown) => boolean) | undefined;
  /** Undefined where it would take no less time than the general check. */
  #learning: ((input: unknown) => boolean) | undefined;
  readonly #budget: CheckBudget;
  /** Since the last change of the check. */
  readonly #seen = { inputs: 0 };
  #misses = 0;
  #shapes = 0;
  #shape = newShape();

  constructor(budget: CheckBudget) {
    this.#budget = budget;
    this.#learning = this.#untilWarm;
  }

  /** Whether there is a check other than the general one. */
  get isQuick(): boolean {
    return this.quick !== undefined || this.#learning !== undefined;
  }

  /** Whether an input is JSON; false where the check of `inputValue` has to tell. */
  takes(input: unknown): boolean {
    const { quick } = this;
    if (quick !== undefined) return quick(input);
    if (this.#learning === undefined) return false;
    this.#seen.inputs++;
    return this.#learning(input);
  }

  readonly #untilWarm = (): boolean => {
    if (this.#seen.inputs >= warmInputs) this.#change(this.#sampled);
    return false;
  };

  readonly #sampled = (input: unknown): boolean => {
    const isTaken = unlessTooDeep(isPlainJson, input);
    if (isTaken) this.#shape.add(input);
    if (this.#seen.inputs >= samples) this.#change(undefined, this.#checkOfShape());
    return isTaken;
  };

  #change(learning: ((input: unknown) => boolean) | undefined, quick?: (input: unknown) => boolean): void {
    this.#learning = learning;
    this.quick = quick;
    this.#seen.inputs = 0;
    this.#misses = 0;
  }

  /** The quick check of the shape that was learned. */
  #checkOfShape(): ((input: unknown) => boolean) | undefined {
    const shape = this.#shape;
    this.#shape = newShape();
    if (this.#shapes++ >= mostShapes || this.#budget.checks <= 0 || !mayGenerate()) return undefined;
    const check = shapeCheck(shape, this.#seen, () => this.#missed());
    if (check !== undefined) this.#budget.checks--;
    return check;
  }

  /** The shape is out of date where more than a quarter of the inputs have a part of another. */
  #missed(): void {
    if (++this.#misses < manyMisses) return;
    if (this.#misses * 4 > this.#seen.inputs) this.#change(this.#sampled);
    else this.#change(undefined, this.quick);
  }
}

const newShape = () => new InputShape({ places: mostPlaces });
