/** The text of a program's functions: the code generator compiles it, modules contain it. */
import { pathKey } from '../../values/index.js';
import type { Program } from '../bytecode/program.js';
import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt } from '../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../lowering/lowered.js';
import { type CallFacts, callFacts, loweredCalls, plannedCalls } from './call-facts.js';
import {
  callCountText,
  declarations,
  entrySource,
  functionSource,
  ownDepthCheck,
  parametersOf,
  ruleSource,
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
import { changesDocuments, hasScan, markOfLine, placeOfOrigin, type RuleText } from './writer.js';

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
      ruleText: this.#hasRulesInPlace ? this.#rulesInPlace(func) : undefined,
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
   * Writes the rules that a function alone calls in the place of the call, while its text is short:
   * V8 would seldom do so.
   */
  #rulesInPlace(caller: LoweredFunction): RuleText | undefined {
    if (caller.params !== 2) return undefined;
    let room = mostStatements - sizeOfFunction(caller);
    const ruleText: RuleText = (index, origin, writer) => {
      if (!this.#facts.single.has(index)) return undefined;
      const func = this.#func(index);
      const size = sizeOfFunction(func);
      if (size > room || !isPlainRule(func)) return undefined;
      room -= size;
      const options = { remembers: this.#remembersFor(index), ruleText, caller: writer };
      return ruleSource(index, wholeText(func, this.#program, options), {
        func,
        weight: this.#weight(index),
        place: placeOfOrigin(this.#program, firstOrigin(func)),
        callPlace: placeOfOrigin(this.#program, origin),
        mark: this.#program.statements === undefined ? '' : `${markOfLine}${origin}\n`,
      });
    };
    return ruleText;
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

/** The most statements of a function with the rules in it. */
const mostStatements = 200;

/** Whether a rule has nothing that stands for the whole of a function. */
function isPlainRule(func: LoweredFunction): boolean {
  const { kind, isOfData, tracker } = func;
  const isPlain = kind === 'rule' && !isOfData && tracker === undefined && !needsSplit(func);
  return isPlain && !changesDocuments(func) && !outermostBlocks(func).some(hasScan);
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
