/** Functions of a program as JavaScript functions, each compiled at its first call. */
import type { Program } from '../bytecode/program.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import type { LoweredBlock, LoweredFunction } from '../lowering/lowered.js';
import { pathKey } from '../values/path-key.js';
import { conflict, tooDeep } from '../vm/located.js';
import type { Activation } from './activation.js';
import { type BuiltinCaller, builtinCaller } from './builtin-caller.js';
import type { Piece } from './function-text.js';
import { dispatcher, type Generated, type Part, type Register } from './generated.js';
import { outerNames, ProgramText } from './program-text.js';
import { support } from './support.js';

export class CodeGenerator {
  /** By number of function; generated code calls through it. */
  readonly functions: Generated[];
  readonly #program: Program;
  readonly #lowered: readonly LoweredFunction[];
  readonly #text: ProgramText;
  readonly #builtins: readonly BuiltinCaller[];

  constructor(program: Program, lowered: readonly LoweredFunction[], builtins: readonly LinkedBuiltin[]) {
    this.#program = program;
    this.#lowered = lowered;
    this.#text = new ProgramText(program, lowered);
    this.#builtins = builtins.map(builtinCaller);
    this.functions = lowered.map(
      (_, index) =>
        (x, ...args) =>
          this.#compile(index)(x, ...args),
    );
  }

  #compile(index: number): Generated {
    const pieces = this.#text.pieces(index);
    const parts = (pieces ?? []).map((piece) => this.#piece(index, piece));
    return (this.functions[index] = this.#evaluate(this.#text.func(index, pieces), index, parts) as Generated);
  }

  #evaluate(source: string, index: number, parts: readonly Part[] = []): unknown {
    const make = new Function(...outerNames, `"use strict";\n${source}`) as (...values: readonly unknown[]) => unknown;
    const { constants, documentPaths } = this.#program;
    const complain = () => conflict(this.#lowered[index]!.params);
    return make(support, this.functions, this.#builtins, constants, documentPaths, parts, this.#dynamic, complain, tooDeep);
  }

  /** A call of a rule by its path in `data`. */
  readonly #dynamic = (x: Activation, path: readonly Register[], args: readonly Register[]): Register => {
    if (!path.every((key) => typeof key === 'string')) return undefined;
    const index = this.#program.paths.get(pathKey(path as string[]));
    if (index === undefined || this.#program.functions[index]!.params !== args.length) return undefined;
    return this.functions[index]!(x, ...args);
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
