/** Functions of a program as JavaScript functions, each compiled at its first call. */
import type { Program } from '../bytecode/program.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import { noValue, type Results } from '../evaluation/rule-memory.js';
import type { Dispatch, LoweredBlock, LoweredFunction } from '../lowering/lowered.js';
import { lookup } from '../values/compare.js';
import { pathKey } from '../values/path-key.js';
import type { Value } from '../values/value.js';
import { conflict, tooDeep } from '../vm/located.js';
import type { Activation } from './activation.js';
import { type FunctionText, firstOrigin, needsSplit, type Piece, partText, piecesOf, wholeText } from './function-text.js';
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
  readonly #builtins: readonly LinkedBuiltin[];

  constructor(program: Program, lowered: readonly LoweredFunction[], builtins: readonly LinkedBuiltin[]) {
    this.#program = program;
    this.#lowered = lowered;
    this.#builtins = builtins;
    this.functions = lowered.map(
      (_, index) =>
        (x, ...args) =>
          this.#compile(index)(x, ...args),
    );
  }

  /** The text of a function without the parts that it was split into. */
  text(index: number): string {
    const func = this.#lowered[index]!;
    return needsSplit(func)
      ? piecesOf(func)
          .flatMap((piece) => this.#textsOf(func, piece))
          .join('\n')
      : this.#wholeSource(index);
  }

  #textsOf(func: LoweredFunction, piece: Piece): string[] {
    const all = piece.kind === 'blocks' ? [piece.blocks] : piece.rules.map(({ blocks }) => blocks);
    return all.map((blocks) => partText(func, blocks, this.#program).text);
  }

  #compile(index: number): Generated {
    const func = this.#lowered[index]!;
    const body = needsSplit(func) ? this.#split(index, func) : this.#whole(index);
    return (this.functions[index] = this.#remembering(index, func, body));
  }

  #whole(index: number): Generated {
    return this.#evaluate(this.#wholeSource(index), this.#lowered[index]!) as Generated;
  }

  #wholeSource(index: number): string {
    const func = this.#lowered[index]!;
    const { text, writer } = wholeText(func, this.#program);
    const params = Array.from({ length: func.params }, (_, i) => `r${i}`);
    const weight = `if ((x.meter.left -= ${this.#program.functions[index]!.weight}) < 0) x.meter.refill();`;
    return this.#source(index, ['x', ...params], weight, { text, writer }, firstOrigin(func));
  }

  #source(index: number, params: readonly string[], before: string, { text, writer }: FunctionText, origin: number): string {
    const locals = writer.locals.length > 0 ? `let ${writer.locals.join(', ')};\n` : '';
    const names = writer.names.size > 0 ? `const { ${[...writer.names].join(', ')} } = support;\n` : '';
    const constants = [...writer.constants].map((i) => `const k${i} = K[${i}];\n`).join('');
    return `"use strict";
${names}${constants}return function f${index}(${params.join(', ')}) {
${locals}let t, at = ${origin};
try {
${before}
${text}
} catch (error) { throw x.failed(error, ${index}, at); }
};`;
  }

  #evaluate(source: string, { params }: LoweredFunction): unknown {
    const names = ['support', 'F', 'B', 'K', 'P', 'dynamic', 'conflict'];
    const { constants, documentPaths } = this.#program;
    const make = new Function(...names, source) as (...values: readonly unknown[]) => unknown;
    return make(support, this.functions, this.#builtins, constants, documentPaths, this.#dynamic, () => conflict(params));
  }

  /** A call of a rule by its path in `data`. */
  readonly #dynamic = (x: Activation, path: readonly Register[], args: readonly Register[]): Register => {
    if (!path.every((key) => typeof key === 'string')) return undefined;
    const index = this.#program.paths.get(pathKey(path as string[]));
    if (index === undefined || this.#program.functions[index]!.params !== args.length) return undefined;
    return this.functions[index]!(x, ...args);
  };

  /** Rules keep their result, functions of one scalar argument their results. */
  #remembering(index: number, { kind, params }: LoweredFunction, body: Generated): Generated {
    if (kind === 'plan') return body;
    if (params === 2) return rememberingRule(index, body);
    return params === 3 ? rememberingFunction(index, body) : counting(body);
  }

  #split(index: number, func: LoweredFunction): Generated {
    const { weight } = this.#program.functions[index]!;
    const { cleared, params, tracker } = func;
    const parts = piecesOf(func).map((piece) =>
      piece.kind === 'blocks' ? this.#part(index, func, piece.blocks) : this.#dispatch(index, func, piece),
    );
    const origin = firstOrigin(func);
    return (x, ...args) => {
      const shared: Shared = {};
      for (let i = 0; i < cleared; i++) shared[`r${i}`] = i < params ? args[i] : undefined;
      if (tracker !== undefined) shared[`r${tracker}`] = support.newTracker();
      try {
        if ((x.meter.left -= weight) < 0) x.meter.refill();
      } catch (error) {
        throw x.failed(error, index, origin);
      }
      for (const part of parts) {
        const result = part(x, shared);
        if (result !== goOn) return result;
      }
      return undefined;
    };
  }

  /** A part, compiled at its first call. */
  #part(index: number, func: LoweredFunction, blocks: readonly LoweredBlock[]): Part {
    let compiled: Part | undefined;
    return (x, shared) => {
      compiled ??= this.#evaluate(this.#source(index, ['x', 's'], '', partText(func, blocks, this.#program), 0), func) as Part;
      return compiled(x, shared);
    };
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

/** Calls that nest too deeply end the evaluation, at the place of the call. */
function enter(x: Activation): void {
  if (x.depth >= x.maxDepth) throw tooDeep(x.maxDepth);
  x.depth++;
}

function counting(body: Generated): Generated {
  return (x, ...args) => {
    enter(x);
    const value = body(x, ...args);
    x.depth--;
    return value;
  };
}

function rememberingRule(index: number, body: Generated): Generated {
  return (x, input, data) => {
    const known = x.memory[index];
    if (known !== undefined) return known === noValue ? undefined : (known as Value);
    enter(x);
    const value = body(x, input, data);
    x.depth--;
    x.memory[index] = value === undefined ? noValue : value;
    x.used.push(index);
    return value;
  };
}

function rememberingFunction(index: number, body: Generated): Generated {
  return (x, input, data, argument) => {
    // To recognize an array or object would cost more than most functions do.
    const isScalar = typeof argument === 'string' || typeof argument === 'number' || typeof argument === 'boolean';
    let results = x.memory[index] as Results | undefined;
    if (isScalar) {
      const known = results?.get(argument);
      if (known !== undefined) return known === noValue ? undefined : known;
    }
    enter(x);
    const value = body(x, input, data, argument);
    x.depth--;
    if (isScalar) {
      if (results === undefined) {
        // The body may have begun it.
        results = x.memory[index] as Results | undefined;
        if (results === undefined) {
          x.memory[index] = results = new Map();
          x.used.push(index);
        }
      }
      results.set(argument, value === undefined ? noValue : value);
    }
    return value;
  };
}
