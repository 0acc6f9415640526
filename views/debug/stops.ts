/** Where an evaluation stops: at breakpoints, at values, and by exception filters. */

import { documentText } from '../../compiler/index.js';
import type { Stmt } from '../../ir-schema/index.js';
import { countWhile, HaltError, lookup, termText, type Value } from '../../values/index.js';
import type { ActiveBreakpoint, Breakpoints } from './breakpoints.js';
import type { DebugProgram } from './debug-program.js';
import { type ExpressionValues, type FrameExpression, localNumber } from './frame-expressions.js';
import { loopOfRound } from './last-write.js';
import type { Locals } from './operand-names.js';
import type { MappedStatement, PlanMap } from './plan-map.js';
import type { Reasons } from './reasons.js';
import type { EvaluatedExpression, ExceptionFilter, SessionOptions, Stop } from './session.js';
import { pathOfFunc, standsAt } from './stack-view.js';
import type { SessionTimeline } from './timeline.js';

/** Where a search looks for stops; undefined goes on. */
export type StopTest = (next: Stmt) => Stop | undefined;

export interface ActiveFilter {
  readonly filter: ExceptionFilter;
  readonly test: FrameExpression | undefined;
}

interface StopSources {
  readonly program: DebugProgram;
  readonly map: PlanMap;
  readonly reasons: Reasons;
  readonly breakpoints: Breakpoints;
  /** The timeline of now. */
  readonly timeline: () => SessionTimeline;
  readonly onOutput: SessionOptions['onOutput'];
}

export class Stops {
  filters: readonly ActiveFilter[] = [];
  /** The last failure of a built-in, until it is looked at. */
  failure: string | undefined;
  readonly #program: DebugProgram;
  readonly #map: PlanMap;
  readonly #reasons: Reasons;
  readonly #breakpoints: Breakpoints;
  readonly #timeline: () => SessionTimeline;
  readonly #onOutput: SessionOptions['onOutput'];

  constructor({ program, map, reasons, breakpoints, timeline, onOutput }: StopSources) {
    this.#program = program;
    this.#map = map;
    this.#reasons = reasons;
    this.#breakpoints = breakpoints;
    this.#timeline = timeline;
    this.#onOutput = onOutput;
  }

  /** Breakpoints before statements. */
  before({ isAgain = false }: { readonly isAgain?: boolean } = {}): StopTest {
    return (next) => {
      const here = this.#breakpoints.at(next);
      if (here === undefined) return undefined;
      const hit = here.filter((breakpoint) => this.#isHit(breakpoint, next, isAgain));
      if (hit.length === 0) return undefined;
      return { reason: 'breakpoint', breakpoints: hit.map(({ id }) => id), frame: undefined, at: this.#timeline().at };
    };
  }

  #isHit(breakpoint: ActiveBreakpoint, next: Stmt | undefined, isAgain: boolean): boolean {
    const { test, positions, isWanted, parts } = breakpoint;
    const { at } = this.#timeline();
    if (test !== undefined && !test.holds(this.#values(next))) return false;
    if (!isWanted(visitOf(positions, at))) return false;
    if (parts === undefined) return true;
    if (isAgain || !this.#timeline().isNew) return false;
    const values = this.#values(next);
    const text = parts
      .map((part) => (typeof part === 'string' ? part : shownValue(part.expression.evaluate(values))))
      .join('');
    this.#onOutput?.({ kind: 'log', text, place: next && this.#map.of(next).range });
    return false;
  }

  /** Filters and data breakpoints, after a move; undefined where there are none. */
  after(): ((moved: Stmt | undefined) => Stop | undefined) | undefined {
    const { watching } = this.#breakpoints;
    const filters = new Map(this.filters.map((one) => [one.filter, one]));
    if (filters.size === 0 && watching.length === 0) return undefined;
    return (moved) =>
      this.#valueStop(watching, moved) ?? this.#variableStop(watching, moved) ?? this.#exceptionStop(filters, moved);
  }

  /** Data breakpoints on variables, which a statement has given a value. */
  #variableStop(watching: readonly ActiveBreakpoint[], moved: Stmt | undefined): Stop | undefined {
    const { machine } = this.#timeline();
    if (watching.length === 0 || machine.hasFailed || machine.frame === undefined) return undefined;
    // The rounds of a loop give its variables values, between two statements.
    const writer = moved ?? loopOfRound(machine);
    if (writer === undefined) return undefined;
    const told: string[] = [];
    const hit = watching.filter((breakpoint) => {
      const local = breakpoint.written?.get(writer);
      const value = local === undefined ? undefined : machine.frame?.get(local);
      if (value === undefined || !this.#isHit(breakpoint, moved, false)) return false;
      told.push(`${breakpoint.place.kind === 'data' ? breakpoint.place.path : ''} is ${termText(value)}`);
      return true;
    });
    if (hit.length === 0) return undefined;
    const ids = hit.map(({ id }) => id);
    return {
      reason: 'data breakpoint',
      text: told.join(', '),
      breakpoints: ids,
      frame: undefined,
      at: this.#timeline().at,
    };
  }

  #valueStop(watching: readonly ActiveBreakpoint[], moved: Stmt | undefined): Stop | undefined {
    const { machine } = this.#timeline();
    if (watching.length === 0 || moved === undefined || machine.hasFailed) return undefined;
    const { frame } = machine;
    const func = frame?.func;
    if (frame === undefined || func === undefined || !this.#map.of(moved).givesValue) return undefined;
    const value = frame.get(func.return);
    const hit = watching.filter((breakpoint) => {
      const { watched } = breakpoint;
      if (watched?.owners.has(func) !== true) return false;
      return addsTo(moved, watched.rest, this.#operandOf(frame)) && this.#isHit(breakpoint, moved, false);
    });
    if (hit.length === 0 || value === undefined) return undefined;
    const text = `${documentText(pathOfFunc(func) ?? [])} is ${termText(value)}`;
    return {
      reason: 'data breakpoint',
      text,
      breakpoints: hit.map(({ id }) => id),
      frame: undefined,
      at: this.#timeline().at,
    };
  }

  #operandOf(frame: Locals): (operand: { readonly type: string; readonly value: unknown }) => Value | undefined {
    const strings = this.#program.policy.static?.strings ?? [];
    return ({ type, value }) => {
      if (type === 'local') return frame.get(value as number);
      return type === 'bool' ? (value as boolean) : strings[value as number]?.value;
    };
  }

  #exceptionStop(filters: ReadonlyMap<ExceptionFilter, ActiveFilter>, moved: Stmt | undefined): Stop | undefined {
    const { machine } = this.#timeline();
    const stopFor = (filter: ExceptionFilter, text: () => string, result?: Value): Stop | undefined => {
      const wanted = filters.get(filter);
      if (wanted === undefined) return undefined;
      const values = this.#values(moved);
      const given: ExpressionValues = {
        ...values,
        variable: (name) => (name === 'result' ? result : values.variable(name)),
      };
      if (wanted.test !== undefined && !wanted.test.holds(given)) return undefined;
      return { reason: 'exception', filter, text: text(), frame: undefined, at: this.#timeline().at };
    };
    const failure = this.failure;
    this.failure = undefined;
    const failed = failure === undefined ? undefined : stopFor('error', () => failure);
    if (failed !== undefined) return failed;
    const { frame } = machine;
    if (frame === undefined) return undefined;
    if (moved?.type === 'ReturnLocalStmt') {
      const { func, returned } = frame;
      const path = func && pathOfFunc(func);
      if (path === undefined) return undefined;
      return stopFor(
        'rule-exit',
        () => `${documentText(path)} is ${returned === undefined ? 'undefined' : termText(returned)}`,
        returned,
      );
    }
    const mapped = this.failed(moved);
    if (mapped === undefined) return undefined;
    const why = () => this.#reasons.whyFailed(mapped, frame);
    if (mapped.reason === 'guard') {
      const skipped = stopFor('skipped', () => `skipped: ${this.#reasons.whySkipped(mapped, frame)}`);
      if (skipped !== undefined) return skipped;
    }
    return (isUndefined(mapped.stmt) ? stopFor('undefined', why) : undefined) ?? stopFor('fail', why);
  }

  /** The statement of an expression that has failed by the last move. */
  failed(moved: Stmt | undefined): MappedStatement | undefined {
    const { machine } = this.#timeline();
    if (!machine.hasFailed) return undefined;
    const mapped = moved === undefined ? standsAt(machine, this.#map).at(-1) : this.#map.of(moved);
    // A loop that is left has not failed.
    if (mapped === undefined || (moved === undefined && !endsWithBlock.has(mapped.stmt.type))) return undefined;
    return isFailure(mapped) ? mapped : undefined;
  }

  /** The values that an expression sees in the innermost call. */
  #values(statement: Stmt | undefined): ExpressionValues {
    const { machine } = this.#timeline();
    const { frame } = machine;
    const mapped = statement === undefined ? standsAt(machine, this.#map).at(-1) : this.#map.of(statement);
    const names = mapped && this.#map.namesAt(mapped.address);
    return {
      input: frame?.get(0),
      data: frame?.get(1),
      calls: machine.frames,
      variable: (name) => {
        const local = names?.get(name) ?? localNumber(name);
        return local === undefined ? undefined : frame?.get(local);
      },
    };
  }
}

/** Statements that fail by the end of their block or call. */
const endsWithBlock: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  'NotStmt',
  'BlockStmt',
  'CallStmt',
  'CallDynamicStmt',
]);

/** Whether a failing statement belongs to an expression, and is no test of the compiler's own. */
function isFailure({ reason, stmt, expression, isTried }: MappedStatement): boolean {
  if (isTried) return false;
  if (stmt.type === 'BreakStmt' || stmt.type === 'WithStmt') return false;
  // A block itself never fails: where an expression is a choice, a break says that no branch fits.
  if (stmt.type === 'BlockStmt' && expression === undefined) return false;
  return (
    reason === undefined ||
    reason === 'expression' ||
    reason === 'guard' ||
    reason === 'argument' ||
    reason === 'inlined' ||
    reason === 'hoisted'
  );
}

function isUndefined({ type }: Stmt): boolean {
  return (
    type === 'BlockStmt' ||
    type === 'DotStmt' ||
    type === 'CallStmt' ||
    type === 'CallDynamicStmt' ||
    type === 'IsDefinedStmt'
  );
}

export function isConflict(error: unknown): boolean {
  return error instanceof HaltError && error.code === 'eval_conflict_error';
}

/** Whether a statement that gives a value gives one at keys below the rule. */
function addsTo(
  node: Stmt,
  [key, ...rest]: readonly string[],
  read: (operand: { readonly type: string; readonly value: unknown }) => Value | undefined,
): boolean {
  if (key === undefined) return true;
  const { type, stmt } = node;
  const isKey = (value: Value | undefined) => value !== undefined && (value === key || String(value) === key);
  if (type === 'SetAddStmt') return rest.length === 0 && isKey(read(stmt.value));
  const value = type === 'AssignVarOnceStmt' ? read(stmt.source) : undefined;
  if (type === 'AssignVarOnceStmt') return below(value, [key, ...rest]) !== undefined;
  if (type !== 'ObjectInsertOnceStmt' && type !== 'ObjectInsertStmt') return false;
  return isKey(read(stmt.key)) && below(read(stmt.value), rest) !== undefined;
}

function below(value: Value | undefined, keys: readonly string[]): Value | undefined {
  let found = value;
  for (const key of keys) {
    if (found === undefined) return undefined;
    found = lookup(found, key) ?? lookup(found, Number(key));
  }
  return found;
}

/**
 * The number of the visit at a position, counted from 1. It joins the positions, which are sorted.
 */
function visitOf(positions: number[], at: number): number {
  const before = countWhile(positions, (position) => position < at);
  if (positions[before] !== at) positions.splice(before, 0, at);
  return before + 1;
}

function shownValue({ value, error }: EvaluatedExpression): string {
  if (error !== undefined) return error.message;
  return value === undefined ? 'undefined' : typeof value === 'string' ? value : termText(value);
}
