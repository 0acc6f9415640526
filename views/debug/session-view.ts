/** The view of a debug session where it stands: calls, variables, reasons, statements. */

import { documentText } from '../../compiler/index.js';
import { StatementText, type Stmt } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import { listingLines } from '../inspect/plan-listing.js';
import { completionsOf } from './completions.js';
import type { DebugProgram } from './debug-program.js';
import { type FrameExpression, type FrameExpressions, localNumber, numberedLocals } from './frame-expressions.js';
import type { Locals } from './operand-names.js';
import type { MappedStatement, PlanMap } from './plan-map.js';
import type { Reasons } from './reasons.js';
import { scopesOf } from './scopes.js';
import type {
  Completion,
  DebugScope,
  DebugStatement,
  EvaluatedExpression,
  SkippedRule,
  Stop,
  TextRange,
} from './session.js';
import { DebugError, UnboundNames } from './session.js';
import { nameOfFrame, pathOfFunc, standsAt, type ViewedFrame, variablesOf, viewFrames } from './stack-view.js';
import type { Stops } from './stops.js';
import type { SessionTimeline } from './timeline.js';

/** Moves that are made again to see the failures and skipped rules before a stop. */
const longestLookBack = 100_000;

/** Skipped rules that are told. */
const mostSkipped = 100;

/** The name of the plan's listing among the sources. */
export const listingName = '<plan>';

/** Where the session stands. */
interface Standing {
  readonly timeline: SessionTimeline;
  readonly stop: Stop | undefined;
  readonly input: Value | undefined;
  readonly data: Value;
}

interface ViewParts {
  readonly program: DebugProgram;
  readonly map: PlanMap;
  readonly reasons: Reasons;
  readonly expressions: FrameExpressions;
  readonly stops: Stops;
  readonly now: Standing;
}

export class SessionView {
  readonly #program: DebugProgram;
  readonly #map: PlanMap;
  readonly #reasons: Reasons;
  readonly #expressions: FrameExpressions;
  readonly #stops: Stops;
  readonly #now: Standing;
  readonly #text: StatementText;
  #frames: readonly ViewedFrame[] | undefined;

  constructor({ program, map, reasons, expressions, stops, now }: ViewParts) {
    this.#program = program;
    this.#map = map;
    this.#reasons = reasons;
    this.#expressions = expressions;
    this.#stops = stops;
    this.#now = now;
    this.#text = new StatementText(program.policy);
  }

  /** The evaluation goes on: what was shown of the last stop is not valid any more. */
  leave(): void {
    this.#frames = undefined;
  }

  frames(): readonly ViewedFrame[] {
    if (this.#frames !== undefined) return this.#frames;
    const { machine } = this.#now.timeline;
    const giving = standsAt(machine, this.#map).at(-1)?.stmt.type === 'ReturnLocalStmt' ? this.#giving() : undefined;
    return (this.#frames = viewFrames(machine, this.#map, this.#program.name, giving));
  }

  /** The statement that gave the innermost call its value: of a set or an object the last one. */
  #giving(): MappedStatement | undefined {
    const { machine } = this.#now.timeline;
    let found: { readonly call: unknown; readonly mapped: MappedStatement } | undefined;
    this.#again((next) => {
      const { frame } = machine;
      const mapped = next && this.#map.of(next);
      if (mapped?.givesValue !== true || machine.hasFailed || frame === undefined) return;
      // A second rule with an equal value gives none.
      if (next?.type === 'AssignVarOnceStmt' && found?.call === frame) return;
      if (frame.func?.name === mapped.at.owner.name) found = { call: frame, mapped };
    });
    return found?.call === machine.frame ? found?.mapped : undefined;
  }

  frame(id: number): ViewedFrame {
    const found = this.frames()[id];
    if (found === undefined) throw new DebugError('unknown_frame', `there is no frame ${id}`);
    return found;
  }

  scopes(id: number): readonly DebugScope[] {
    return scopesOf(this.frame(id), this.#map, this.#now.timeline.machine, () => this.why());
  }

  skipped(): readonly SkippedRule[] {
    const found: SkippedRule[] = [];
    this.#lookBack((mapped, locals) => {
      if (mapped.reason !== 'guard' || mapped.rule === undefined) return;
      found.push({
        name: documentText(mapped.rule.path.split('/')),
        range: this.#map.headOf(mapped.rule),
        reason: this.#reasons.whySkipped(mapped, locals),
      });
      if (found.length > mostSkipped) found.shift();
    });
    return found;
  }

  why(): readonly string[] {
    const { stop } = this.#now;
    const lines: string[] = [];
    if (stop?.text !== undefined) lines.push(stop.text);
    if (stop?.outcome?.kind === 'error') lines.push(stop.outcome.message);
    const here = standsAt(this.#now.timeline.machine, this.#map).at(-1);
    const placed = here && reasonTexts[here.reason ?? 'expression'];
    if (placed !== undefined) lines.push(placed);
    let last: string | undefined;
    this.#lookBack((mapped, locals) => {
      const place = mapped.range === undefined ? '' : `${mapped.range.file}:${mapped.range.row}: `;
      last = `${place}${this.#reasons.whyFailed(mapped, locals)}`;
    });
    if (last !== undefined && stop?.reason !== 'exception') lines.push(`what failed last: ${last}`);
    return lines;
  }

  /** Tells of each failure of an expression before the position, as far as is looked back. */
  #lookBack(tell: (mapped: MappedStatement, locals: Locals) => void): void {
    this.#again((moved) => {
      const mapped = this.#stops.failed(moved);
      const { frame } = this.#now.timeline.machine;
      if (mapped !== undefined && frame !== undefined) tell(mapped, frame);
    });
    this.#frames = undefined;
  }

  /** Makes the last moves before the position again, and tells of each. */
  #again(tell: (moved: Stmt | undefined) => void): void {
    const { timeline } = this.#now;
    const { at, machine } = timeline;
    timeline.goTo(timeline.stateBefore(Math.max(1, at - longestLookBack))?.position ?? 0);
    while (timeline.at < at && !timeline.hasEnded) {
      const { next } = machine;
      timeline.move();
      tell(next);
    }
  }

  stepTargets(id: number): readonly { readonly name: string; readonly range: TextRange | undefined }[] {
    const { statement, depth } = this.frame(id);
    if (statement?.expression === undefined || depth !== this.#now.timeline.machine.depth) return [];
    const found = new Map<string, TextRange | undefined>();
    const functions = new Map((this.#program.policy.funcs?.funcs ?? []).map((func) => [func.name, func]));
    for (const mapped of this.#map.inside(statement.at.owner.body)) {
      const { stmt, expression } = mapped;
      if (expression !== statement.expression || stmt.type !== 'CallStmt') continue;
      const func = functions.get(stmt.stmt.func);
      if (func === undefined || pathOfFunc(func) === undefined) continue;
      const [first] = this.#map.inside(func);
      const rule = this.#map.inside(func).find((one) => one.rule !== undefined)?.rule ?? first?.rule;
      found.set(nameOfFrame(func, rule, this.#map, ''), this.#map.lineOf(mapped));
    }
    return [...found].map(([name, range]) => ({ name, range }));
  }

  async evaluate(text: string, id?: number): Promise<EvaluatedExpression> {
    const frame = id === undefined ? undefined : this.frame(id);
    const variables = frame === undefined ? new Map<string, Value | undefined>() : variablesOf(frame, this.#map);
    const names = [...variables.keys(), ...numberedLocals(text)];
    const file = frame?.range?.file ?? frame?.head?.file;
    const expression = this.#prepared(text, names, file);
    if (expression instanceof UnboundNames) return { value: undefined, solutions: [], unbound: expression.names };
    await this.#expressions.loaded;
    return expression.evaluate({
      input: frame === undefined ? this.#now.input : frame.call.get(0),
      data: frame === undefined ? this.#now.data : frame.call.get(1),
      calls: frame === undefined ? [] : this.#now.timeline.machine.frames.slice(0, frame.depth),
      variable: (name) => {
        if (variables.has(name)) return variables.get(name);
        const local = localNumber(name);
        return local === undefined ? undefined : frame?.call.get(local);
      },
    });
  }

  #prepared(text: string, names: readonly string[], file: string | undefined): FrameExpression | UnboundNames {
    try {
      return this.#expressions.prepare(text, { names, file });
    } catch (error) {
      if (error instanceof UnboundNames) return error;
      throw error;
    }
  }

  completions(text: string, column: number, id?: number): readonly Completion[] {
    const frame = id === undefined ? undefined : this.frame(id);
    const variables = frame === undefined ? new Map<string, Value | undefined>() : variablesOf(frame, this.#map);
    const [input, data] = [frame?.call.get(0) ?? this.#now.input, frame?.call.get(1) ?? this.#now.data];
    const file = frame?.range?.file ?? frame?.head?.file;
    return completionsOf(text, column, { variables, input, data, file }, this.#program);
  }

  sourceText(name: string): string {
    if (name === listingName) {
      const { addresses } = this.#map;
      return listingLines(this.#program.policy, addresses, addresses.owners)
        .map(({ text }) => text)
        .join('\n');
    }
    const source = this.#map.source(name);
    if (source === undefined) throw new DebugError('unknown_source', `there is no source ${name}`);
    return source.text;
  }

  statements(address: string, before: number, after: number): readonly DebugStatement[] {
    const { addresses } = this.#map;
    const [first] = addresses.owners.filter(({ name }) => name === address).flatMap((owner) => addresses.inside(owner));
    const at = addresses.at(address) ?? first;
    if (at === undefined) throw new DebugError('unknown_statement', `the plan has no statement ${address}`);
    const found: DebugStatement[] = [];
    for (let index = Math.max(0, at.index - before); index <= at.index + after; index++) {
      const statement = addresses.get(index);
      if (statement === undefined) break;
      const mapped = this.#map.of(statement.stmt);
      const text = this.#text.statement(statement.stmt);
      const reason = mapped.reason === 'expression' ? undefined : mapped.reason;
      found.push({
        address: statement.address,
        text,
        depth: statement.depth,
        place: mapped.range ?? this.#map.lineOf(mapped),
        reason,
      });
    }
    return found;
  }
}

/** Why a statement stands where it stands, in a sentence. */
const reasonTexts: Readonly<Record<string, string | undefined>> = {
  guard: 'this expression is asked before the rest of the body: by it the rule index can skip the rule',
  'index order': 'the rule stands in the order of the rule index, not of the source',
  'early exit': 'the rule is skipped if the value is already known',
  inlined: 'the expression comes from a rule that the optimizer has put here',
  partial: 'the rule was made by partial evaluation',
  hoisted: 'the optimizer has moved this out of a loop',
  shared: 'the optimizer has put this in place of an equal computation before',
};
