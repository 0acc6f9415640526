/** The check of a decision's inputs for JSON, which learns their usual shape. */
import { mayGenerate } from '../../../runtime/codegen/tiered-program.js';
import type { CodegenMode } from '../../../runtime/evaluation/context.js';
import { isPlain } from '../../../runtime/values/json/quick-check.js';
import { InputShape } from './input-shape.js';
import { shapeCheck } from './shape-code.js';

/** Inputs that the general check takes before a shape is worth its code. */
const warmInputs = 500;

const samples = 32;

/** Places of a shape: keys, and arrays by their elements. */
const mostPlaces = 256;

/** Parts of another shape before their share is looked at. */
const manyMisses = 256;

/** A decision learns shapes so many times; what comes after is checked without. */
const mostShapes = 4;

/** Shared by the decisions of an engine: checks that may still be generated. */
export interface CheckBudget {
  checks: number;
}

/** A new budget for the decisions of an engine. */
export const checkBudget = (codegen: CodegenMode | undefined): CheckBudget => ({ checks: codegen === 'never' ? 0 : 64 });

export class InputCheck {
  /** Undefined where it would take no less time than the general check. */
  quick: ((input: unknown) => boolean) | undefined;
  readonly #budget: CheckBudget;
  /** Since the last change of the quick check. */
  #inputs = 0;
  #misses = 0;
  #shapes = 0;
  #shape = newShape();

  constructor(budget: CheckBudget) {
    this.#budget = budget;
    this.quick = this.#untilWarm;
  }

  /** Whether an input is JSON; false where the check of `inputValue` has to tell. */
  takes(input: unknown): boolean {
    this.#inputs++;
    try {
      return this.quick?.(input) === true;
    } catch (error) {
      // The nesting overflows the stack.
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  readonly #untilWarm = (): boolean => {
    if (this.#inputs >= warmInputs) this.#change(this.#learning);
    return false;
  };

  readonly #learning = (input: unknown): boolean => {
    const plain = isPlain(input);
    if (plain) this.#shape.add(input);
    if (this.#inputs >= samples) this.#change(this.#generated());
    return plain;
  };

  #change(quick: ((input: unknown) => boolean) | undefined): void {
    this.quick = quick;
    this.#inputs = 0;
    this.#misses = 0;
  }

  /** The quick check of the shape that was learned. */
  #generated(): ((input: unknown) => boolean) | undefined {
    const shape = this.#shape;
    this.#shape = newShape();
    if (this.#shapes++ >= mostShapes || this.#budget.checks <= 0 || !mayGenerate()) return undefined;
    const check = shapeCheck(shape, () => this.#missed());
    if (check !== undefined) this.#budget.checks--;
    return check;
  }

  /** The shape is out of date where more than a quarter of the inputs have a part of another. */
  #missed(): void {
    if (++this.#misses < manyMisses) return;
    this.#change(this.#misses * 4 > this.#inputs ? this.#learning : this.quick);
  }
}

const newShape = () => new InputShape({ places: mostPlaces });
