/** Functions of a program as JavaScript functions, each compiled at its first call. */
import type { Program } from '../bytecode/program.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import type { Dispatch, LoweredBlock, LoweredFunction } from '../lowering/lowered.js';
import { lookup } from '../values/compare.js';
import { pathKey } from '../values/path-key.js';
import type { Value } from '../values/value.js';
import { conflict, tooDeep } from '../vm/located.js';
import type { Activation } from './activation.js';
import { type BuiltinCaller, builtinCaller } from './builtin-caller.js';
import { countText, declarations, entryText, functionSource, parametersOf, splitSource } from './function-source.js';
import { firstOrigin, needsSplit, type Piece, partText, piecesOf, wholeText } from './function-text.js';
import { goOn, support } from './support.js';

type Register = Value | undefined;

/** A generated function: undefined is its result where it has none. */
type Generated = (activation: Activation, ...args: Register[]) => Register;

/** The registers that the parts of a split function share: `r0` and so on. */
type Shared = { [name: string]: Register };
type Part = (activation: Activation, shared: Shared) => Register | typeof goOn;

export class CodeGenerator {
  /** By number of function; generated code calls through it. */
  readonly functions: Generated[];
  readonly #program: Program;
  readonly #lowered: readonly LoweredFunction[];
  readonly #builtins: readonly BuiltinCaller[];

  constructor(program: Program, lowered: readonly LoweredFunction[], builtins: readonly LinkedBuiltin[]) {
    this.#program = program;
    this.#lowered = lowered;
    this.#builtins = builtins.map(builtinCaller);
    this.functions = lowered.map(
      (_, index) =>
        (x, ...args) =>
          this.#compile(index)(x, ...args),
    );
  }

  /** The text of a function, with the parts that it was split into. */
  text(index: number): string {
    const func = this.#lowered[index]!;
    if (!needsSplit(func)) return this.#wholeSource(index);
    const pieces = piecesOf(func);
    const parts = pieces.flatMap((piece) => (piece.kind === 'blocks' ? [piece.blocks] : piece.rules.map(({ blocks }) => blocks)));
    const sources = parts.map((blocks) => this.#partSource(index, func, blocks));
    return [splitSource(index, func, this.#weight(index), pieces.length), ...sources].join('\n');
  }

  #compile(index: number): Generated {
    const func = this.#lowered[index]!;
    const parts = needsSplit(func) ? piecesOf(func).map((piece) => this.#piece(index, func, piece)) : [];
    const source = parts.length === 0 ? this.#wholeSource(index) : splitSource(index, func, this.#weight(index), parts.length);
    return (this.functions[index] = this.#evaluate(source, func, parts) as Generated);
  }

  #weight(index: number): number {
    return this.#program.functions[index]!.weight;
  }

  #wholeSource(index: number): string {
    const func = this.#lowered[index]!;
    const { text, writer } = wholeText(func, this.#program);
    const body = functionSource(index, parametersOf(func), countText(func, this.#weight(index)), { text, writer }, firstOrigin(func));
    return `${declarations(writer)}${body}\n${entryText(index, func)}`;
  }

  #evaluate(source: string, { params }: LoweredFunction, parts: readonly Part[] = []): unknown {
    const names = ['support', 'F', 'B', 'K', 'P', 'parts', 'dynamic', 'conflict', 'tooDeep'];
    const { constants, documentPaths } = this.#program;
    const make = new Function(...names, `"use strict";\n${source}`) as (...values: readonly unknown[]) => unknown;
    const complain = () => conflict(params);
    return make(support, this.functions, this.#builtins, constants, documentPaths, parts, this.#dynamic, complain, tooDeep);
  }

  /** A call of a rule by its path in `data`. */
  readonly #dynamic = (x: Activation, path: readonly Register[], args: readonly Register[]): Register => {
    if (!path.every((key) => typeof key === 'string')) return undefined;
    const index = this.#program.paths.get(pathKey(path as string[]));
    if (index === undefined || this.#program.functions[index]!.params !== args.length) return undefined;
    return this.functions[index]!(x, ...args);
  };

  #piece(index: number, func: LoweredFunction, piece: Piece): Part {
    return piece.kind === 'blocks' ? this.#part(index, func, piece.blocks) : this.#dispatch(index, func, piece);
  }

  /** A part, compiled at its first call. */
  #part(index: number, func: LoweredFunction, blocks: readonly LoweredBlock[]): Part {
    let compiled: Part | undefined;
    return (x, shared) => {
      compiled ??= this.#evaluate(this.#partSource(index, func, blocks), func) as Part;
      return compiled(x, shared);
    };
  }

  #partSource(index: number, func: LoweredFunction, blocks: readonly LoweredBlock[]): string {
    const { text, writer } = partText(func, blocks, this.#program);
    const body = functionSource(index, ['x', 's'], '', { text, writer }, 0);
    return `${declarations(writer)}return ${body}`;
  }

  /** Only the rules of the value's constant run. */
  #dispatch(index: number, func: LoweredFunction, { root, path, rules }: Dispatch): Part {
    const table = new Map<Register, Part[]>();
    for (const { constant, blocks } of rules) {
      const part = this.#part(index, func, blocks);
      const parts = table.get(constant);
      if (parts === undefined) table.set(constant, [part]);
      else parts.push(part);
    }
    const keys = path.map((key) => this.#program.constants[key]!);
    return (x, shared) => {
      let value = shared[`r${root}`];
      for (const key of keys) value = value === undefined ? undefined : lookup(value, key);
      for (const part of table.get(value) ?? []) {
        const result = part(x, shared);
        if (result !== goOn) return result;
      }
      return goOn;
    };
  }
}
