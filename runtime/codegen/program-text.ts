/** The text of a program's functions: the code generator compiles it, modules contain it. */
import { pathKey } from '../../values/index.js';
import type { Program } from '../bytecode/program.js';
import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt } from '../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../lowering/lowered.js';
import { type CallFacts, callFacts, loweredCalls, plannedCalls } from './call-facts.js';
import {
  callCountText,
  calleeSource,
  declarations,
  entrySource,
  functionSource,
  ownDepthCheck,
  parametersOf,
  splitSource,
} from './function-source.js';
import {
  firstOrigin,
  needsSplit,
  partParameters,
  partText,
  piecesOfText,
  sizeOfFunction,
  splitText,
  wholeText,
} from './function-text.js';
import type { RulePath } from './generated.js';
import { type Piece, type Sharing, sharingOf } from './part-sharing.js';
import { type CalleeText, changesDocuments, hasScan, markOfLine, placeOfOrigin } from './writer.js';

/** The names that a function's text uses and does not declare. */
export const outerNames = ['support', 'F', 'B', 'K', 'P', 'parts', 'dynamic', 'conflict', 'tooDeep'] as const;

/** The rules that dynamic calls can find. */
export function rulePaths({ functions, paths, growth }: Program): readonly RulePath[] {
  growth?.findConstants();
  return functions.flatMap(({ path, params }) => {
    const found = path && paths.get(pathKey(path));
    return path === undefined || found === undefined ? [] : [[path, found, params] as const];
  });
}

/** Texts of functions and of their parts; each ends in a `return` of the function. */
export class ProgramText {
  readonly #program: Program;
  readonly #lowered: readonly LoweredFunction[];
  #calls: CallFacts | undefined;
  readonly #sharings = new Map<number, Sharing>();

  readonly #hasRulesInPlace: boolean;

  /** @param hasRulesInPlace whether rules may be written where they are called */
  constructor(program: Program, lowered: readonly LoweredFunction[], hasRulesInPlace: boolean) {
    this.#program = program;
    this.#hasRulesInPlace = hasRulesInPlace;
    this.#lowered = lowered;
  }

  /** The parts of a function that is too long for one text; undefined for others. */
  pieces(index: number): readonly Piece[] | undefined {
    const func = this.#func(index);
    return needsSplit(func) ? piecesOfText(func) : undefined;
  }

  /** A function of the program. */
  #func(index: number): LoweredFunction {
    this.#program.growth?.assemble(index);
    return this.#lowered[index]!;
  }

  /** Its share of the limit of instructions. */
  #weight(index: number): number {
    return this.#program.functions[index]!.weight;
  }

  /** A function, or the one that calls its parts. */
  func(index: number, pieces: readonly Piece[] | undefined): string {
    const func = this.#func(index);
    const weight = this.#weight(index);
    if (pieces !== undefined) {
      const parts = pieces.filter((piece) => piece.kind === 'dispatch' || piece.isPart).length;
      const sharing = this.#sharing(index);
      const text = splitText(index, func, pieces, sharing, this.#program);
      return splitSource(index, text, {
        func,
        weight,
        sharing,
        parts,
        remembers: this.#remembers(index),
        place: placeOfOrigin(this.#program, firstOrigin(func)),
      });
    }
    return this.#whole(index, func);
  }

  /** A plan as the function of its decision; undefined where it may have several results. */
  decision(plan: number): string | undefined {
    const form = asDecision(this.#func(plan), (constant) => this.#program.constants[constant] === 'result');
    return form === undefined || needsSplit(form) ? undefined : this.#whole(plan, form);
  }

  #whole(index: number, func: LoweredFunction): string {
    const weight = this.#weight(index);
    const { text, writer } = wholeText(func, this.#program, {
      remembers: this.#remembersFor(index),
      calleeText: this.#hasRulesInPlace ? this.#calleesInPlace(func) : undefined,
    });
    const remembers = this.#remembers(index);
    const check = ownDepthCheck(func, remembers);
    const around = {
      ahead: check,
      before: callCountText(func, weight),
      place: placeOfOrigin(this.#program, firstOrigin(func)),
    };
    const body = functionSource(index, parametersOf(func), { text, writer }, around);
    const entry = check === undefined ? entrySource(index, func, remembers, writer) : `return f${index};`;
    return `${declarations(writer)}${body}\n${entry}`;
  }

  /**
   * Writes short functions and those that one place calls there, while the text stays short: V8
   * would seldom do so.
   */
  #calleesInPlace(caller: LoweredFunction): CalleeText | undefined {
    let room = mostStatements - sizeOfFunction(caller);
    const calleeText: CalleeText = (call, writer) => {
      if (!this.#isInPlace(call.func)) return undefined;
      const func = this.#func(call.func);
      const size = sizeOfFunction(func, room);
      if (size > room || func.params !== call.args.length || !isPlain(func)) return undefined;
      room -= size;
      const options = { remembers: this.#remembersFor(call.func), calleeText, caller: writer };
      const operands = call.args.slice(2).map((one) => ({ text: writer.operand(one), kind: writer.kind(one) }));
      const inPlace = { operands, weight: this.#weight(call.func) };
      return calleeSource(call.func, wholeText(func, this.#program, options, inPlace), {
        func,
        place: placeOfOrigin(this.#program, firstOrigin(func)),
        callPlace: placeOfOrigin(this.#program, call.origin),
        mark: this.#program.statements === undefined ? '' : `${markOfLine}${call.origin}\n`,
      });
    };
    return calleeText;
  }

  /** Whether a function is short, or one place calls it; a rule there once only. */
  #isInPlace(index: number): boolean {
    const func = this.#func(index);
    if (func.kind === 'rule') return this.#facts.single.has(index);
    if (this.#facts.placedOnce.has(index)) return !this.#remembers(index);
    // Results that are remembered spare most of the calls.
    return (func.isQuick || func.params > 3) && sizeOfFunction(func, fewStatements) <= fewStatements;
  }

  /**
   * Blocks of a function that is split.
   * @param values takes the constants and places, so that blocks of one form have one text
   */
  part(index: number, blocks: readonly LoweredBlock[], values?: unknown[]): string {
    const func = this.#func(index);
    const sharing = this.#sharing(index);
    const { text, writer } = partText(func, blocks, sharing, this.#program, values);
    const body = functionSource(index, partParameters(func, sharing), { text, writer }, { place: 0 });
    return `${declarations(writer)}return ${body}`;
  }

  /** Whether the results of a function are kept in the memory of the evaluation. */
  #remembers(index: number): boolean {
    const { kind, params, isQuick } = this.#func(index);
    if (kind === 'plan') return false;
    const isKept = params === 2 ? !this.#facts.single.has(index) : params === 3 && !isQuick;
    return isKept && this.#ownCaller(index) === undefined;
  }

  /** Tells the functions whose results a caller keeps. */
  #remembersFor(caller: number): (callee: number) => boolean {
    return (callee) => this.#facts.onlyCallers.get(callee) === caller && this.#ownCaller(callee) === caller;
  }

  /** The only caller of a function, where it keeps the results of that function in variables. */
  #ownCaller(callee: number): number | undefined {
    const { params, isQuick, isOfData } = this.#func(callee);
    const isKept = params === 2 ? !isOfData : params === 3 && !isQuick;
    const caller = isKept ? this.#facts.onlyCallers.get(callee) : undefined;
    const calling = caller === undefined ? undefined : this.#func(caller);
    return calling === undefined || needsSplit(calling) || changesDocuments(calling) ? undefined : caller;
  }

  get #facts(): CallFacts {
    const { growth, functions } = this.#program;
    return (this.#calls ??= callFacts(
      functions,
      growth === undefined ? loweredCalls(this.#lowered) : plannedCalls(growth.policy),
    ));
  }

  /** The registers that pieces of a split function share, found once. */
  #sharing(index: number): Sharing {
    let sharing = this.#sharings.get(index);
    if (sharing === undefined)
      this.#sharings.set(index, (sharing = sharingOf(this.#func(index), this.pieces(index) ?? [])));
    return sharing;
  }
}

/** The most statements of a function that is written in each place that calls it. */
const fewStatements = 12;

/** The most statements of a function with those in it. */
const mostStatements = 200;

/** Whether a rule or function has nothing that stands for the whole of a text. */
function isPlain(func: LoweredFunction): boolean {
  const { kind, isOfData, tracker } = func;
  if (kind === 'plan' || isOfData || tracker !== undefined || needsSplit(func) || changesDocuments(func)) return false;
  return kind === 'function' || !outermostBlocks(func).some(hasScan);
}

/**
 * The plan as a function that returns the value which its one result binds to `result`; undefined
 * where it may have other results.
 */
function asDecision(plan: LoweredFunction, isResultKey: (constant: number) => boolean): LoweredFunction | undefined {
  const [only] = plan.body;
  if (plan.body.length !== 1 || only?.kind !== 'block' || plan.tracker !== undefined) return undefined;
  const { block } = only;
  const [made, bound, added] = block.slice(-3);
  if (made?.kind !== 'makeObject' || bound?.kind !== 'objectInsert' || added?.kind !== 'resultAdd') return undefined;
  if (bound.object !== made.target || added.value !== made.target || bound.value === made.target) return undefined;
  if (bound.key >= 0 || !isResultKey(-1 - bound.key) || block.slice(0, -1).some(addsResult)) return undefined;
  return { ...plan, body: [{ kind: 'block', block: [...block.slice(0, -3), ...returning(made.target, bound)] }] };
}

/** The register of the object is free for the value. */
function returning(target: number, { origin, value }: LoweredOf<'objectInsert'>): LoweredBlock {
  return [
    { kind: 'move', origin, target, source: value },
    { kind: 'return', origin, source: target, withs: 0 },
  ];
}

function addsResult(stmt: LoweredStmt): boolean {
  if (stmt.kind === 'resultAdd') return true;
  return innerBlocks(stmt).some((block) => block.some(addsResult));
}
