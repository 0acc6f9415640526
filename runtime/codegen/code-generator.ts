/** Functions of a program as JavaScript functions, each compiled at its first call. */
import type { Program } from '../bytecode/program.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import type { LoweredBlock, LoweredFunction } from '../lowering/lowered.js';
import { pathKey } from '../values/path-key.js';
import { conflict, tooDeep } from '../vm/located.js';
import type { Activation } from './activation.js';
import { type BuiltinCaller, builtinCaller } from './builtin-caller.js';
import type { Piece } from './function-text.js';
import { dispatcher, type Generated, type GeneratedFunctions, type Part, type Register } from './generated.js';
import { outerNames, ProgramText } from './program-text.js';
import { support } from './support.js';

export class CodeGenerator implements GeneratedFunctions {
  /** By number of function, once it is compiled. */
  readonly #functions: (Generated | undefined)[];
  /** By number of a plan: the function that returns its decision. */
  readonly #decisions = new Map<number, Generated | undefined>();
  readonly #program: Program;
  readonly #lowered: readonly LoweredFunction[];
  readonly #text: ProgramText;
  readonly #builtins: readonly BuiltinCaller[];

  constructor(program: Program, lowered: readonly LoweredFunction[], builtins: readonly LinkedBuiltin[]) {
    this.#program = program;
    this.#lowered = lowered;
    this.#text = new ProgramText(program, lowered);
    this.#builtins = builtins.map(builtinCaller);
    this.#functions = lowered.map(() => undefined);
  }

  get length(): number {
    return this.#functions.length;
  }

  /** A function, compiled when it is first asked for. */
  at(index: number): Generated {
    return (this.#functions[index] ??= this.#compile(index));
  }

  /**
   * The function that returns what a plan binds to `result`; undefined where the plan may have
   * several results.
   */
  decision(plan: number): Generated | undefined {
    const known = this.#decisions.get(plan);
    if (known !== undefined || this.#decisions.has(plan)) return known;
    const text = this.#text.decision(plan);
    const compiled = text === undefined ? undefined : (this.#evaluate(text, plan) as Generated);
    this.#decisions.set(plan, compiled);
    return compiled;
  }

  #compile(index: number): Generated {
    const pieces = this.#text.pieces(index);
    const parts = (pieces ?? []).map((piece) => this.#piece(index, piece));
    return this.#evaluate(this.#text.func(index, pieces), index, parts) as Generated;
  }

  #evaluate(source: string, index: number, parts: readonly Part[] = []): unknown {
    const make = new Function(...outerNames, `"use strict";\n${source}`) as (...values: readonly unknown[]) => unknown;
    const { constants, documentPaths } = this.#program;
    const complain = () => conflict(this.#lowered[index]!.params);
    return make(support, this, this.#builtins, constants, documentPaths, parts, this.#dynamic, complain, tooDeep);
  }

  /** A call of a rule by its path in `data`. */
  readonly #dynamic = (x: Activation, path: readonly Register[], args: readonly Register[]): Register => {
    if (!path.every((key) => typeof key === 'string')) return undefined;
    const index = this.#program.paths.get(pathKey(path as string[]));
    if (index === undefined || this.#program.functions[index]!.params !== args.length) return undefined;
    return this.at(index)(x, ...args);
  };

  #piece(index: number, piece: Piece): Part {
    if (piece.kind === 'blocks') return this.#part(index, piece.blocks);
    const keys = piece.path.map((key) => this.#program.constants[key]!);
    return dispatcher(
      piece.root,
      keys,
      piece.rules.map(({ constant, blocks }) => [constant, this.#part(index, blocks)]),
    );
  }

  /** A part, compiled at its first call. */
  #part(index: number, blocks: readonly LoweredBlock[]): Part {
    let compiled: Part | undefined;
    return (x, shared) => {
      compiled ??= this.#evaluate(this.#text.part(index, blocks), index) as Part;
      return compiled(x, shared);
    };
  }
}
