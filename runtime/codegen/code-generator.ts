/** Functions of a program as JavaScript functions, each compiled at its first call. */

import type { Steps } from '../../values/index.js';
import type { Program } from '../bytecode/program.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import type { LoweredBlock, LoweredFunction } from '../lowering/lowered.js';
import { conflict, tooDeep } from '../vm/located.js';
import { type BuiltinCaller, builtinCaller } from './builtin-caller.js';
import type { DispatchedRule, DynamicCalls, Generated, GeneratedFunctions, GeneratedPart } from './generated.js';
import { dynamicCalls, RuleTable } from './generated.js';
import { dataRule } from './memory/data-rule.js';
import type { Piece } from './part-sharing.js';
import { outerNames, ProgramText, rulePaths } from './program-text.js';
import { support } from './support.js';

export class CodeGenerator implements GeneratedFunctions {
  /** Compiled functions by number. */
  readonly #functions: (Generated | undefined)[];
  readonly #program: Program;
  readonly #lowered: readonly LoweredFunction[];
  readonly #text: ProgramText;
  readonly #builtins: readonly BuiltinCaller[];
  readonly #dynamic: DynamicCalls;

  constructor(program: Program, lowered: readonly LoweredFunction[], builtins: readonly LinkedBuiltin[]) {
    this.#program = program;
    this.#lowered = lowered;
    this.#text = new ProgramText(program, lowered, true);
    this.#builtins = builtins.map(builtinCaller);
    this.#functions = program.functions.map(() => undefined);
    this.#dynamic = dynamicCalls(this, program.constants, () => rulePaths(program));
  }

  get length(): number {
    return this.#functions.length;
  }

  /** A function, compiled when it is first asked for. */
  at(index: number): Generated {
    return (this.#functions[index] ??= this.#compile(index));
  }

  /** Compiles the functions that another program's generator has compiled, by their names. */
  *compileAs(other: CodeGenerator): Steps {
    const names = new Set(
      other.#program.functions.filter((_, i) => other.#functions[i] !== undefined).map(({ name }) => name),
    );
    for (const [i, { name }] of this.#program.functions.entries()) {
      if (!names.has(name)) continue;
      this.at(i);
      yield;
    }
  }

  /** Undefined where the plan may have several results. */
  decision(plan: number): Generated | undefined {
    const text = this.#text.decision(plan);
    return text === undefined ? undefined : (this.#evaluate(text, plan) as Generated);
  }

  #compile(index: number): Generated {
    const pieces = this.#text.pieces(index);
    const text = this.#text.func(index, pieces);
    const func = this.#evaluate(text, index, this.#parts(index, pieces ?? [])) as Generated;
    return this.#lowered[index]!.isOfData ? dataRule(func, index) : func;
  }

  #parts(index: number, pieces: readonly Piece[]): (GeneratedPart | RuleTable)[] {
    const forms = new Map<string, GeneratedPart>();
    return pieces.flatMap((piece): readonly (GeneratedPart | RuleTable)[] => {
      if (piece.kind === 'blocks') return piece.isPart ? [this.#part(index, piece.blocks)] : [];
      const compilers = piece.rules.map(
        ({ constant, blocks }) => [constant, () => this.#rule(index, blocks, forms)] as const,
      );
      return [new RuleTable(compilers)];
    });
  }

  #evaluate(source: string, index: number, parts: readonly (GeneratedPart | RuleTable)[] = []): unknown {
    const make = new Function(...outerNames, `"use strict";\n${source}`) as (...values: readonly unknown[]) => unknown;
    const { constants, documentPaths } = this.#program;
    const complain = (params = this.#lowered[index]!.params) => conflict(params);
    return make(support, this, this.#builtins, constants, documentPaths, parts, this.#dynamic, complain, tooDeep);
  }

  /** A rule of a dispatch. Those of one form share their code, which so becomes hot. */
  #rule(
    index: number,
    blocks: readonly LoweredBlock[],
    forms: Map<string, GeneratedPart>,
  ): Omit<DispatchedRule, 'next'> {
    const values: unknown[] = [];
    const text = this.#text.part(index, blocks, values);
    let part = forms.get(text);
    if (part === undefined) forms.set(text, (part = this.#evaluate(text, index) as GeneratedPart));
    return { part, values };
  }

  /** A part, compiled at its first call. */
  #part(index: number, blocks: readonly LoweredBlock[]): GeneratedPart {
    let compiled: GeneratedPart | undefined;
    return (x, ...operands) => {
      compiled ??= this.#evaluate(this.#text.part(index, blocks), index) as GeneratedPart;
      return compiled(x, ...operands);
    };
  }
}
