/** The stack of a machine as authors see it, and the variables of its calls. */

import { documentText } from '../../compiler/index.js';
import type { DebugRule, Func, IndexedExpression, Plan } from '../../ir-schema/index.js';
import type { MachineFrame, PlanMachine } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { wordsIn } from './frame-expressions.js';
import { type MappedStatement, type PlanMap, rangeOf } from './plan-map.js';
import type { DebugFrame, SessionVariable, TextRange } from './session.js';

/** A frame with the call that it belongs to. */
export interface ViewedFrame extends DebugFrame {
  readonly call: MachineFrame;
  /** The number of calls up to it: 1 for the plan. */
  readonly depth: number;
  readonly statement: MappedStatement | undefined;
}

/** The statement that each call stands at, outermost call first. */
export function standsAt(machine: PlanMachine, map: PlanMap): readonly (MappedStatement | undefined)[] {
  const { levels, frames } = machine;
  return frames.map((frame, i) => {
    const own = levels.slice(frame.base, frames[i + 1]?.base);
    // Between two blocks of a function there is no statement: the one before counts.
    for (const { stmts, position } of own.toReversed()) {
      const stmt = stmts[Math.min(position, stmts.length - 1)];
      if (stmt !== undefined) return map.of(stmt);
    }
    return undefined;
  });
}

/**
 * The frames, innermost first.
 * @param giving of the innermost call that returns, the statement that gave it its value
 */
export function viewFrames(
  machine: PlanMachine,
  map: PlanMap,
  title: string,
  giving: MappedStatement | undefined,
): readonly ViewedFrame[] {
  const places = standsAt(machine, map);
  const found: Omit<ViewedFrame, 'id'>[] = [];
  machine.frames.forEach((call, i) => {
    const stands = places[i];
    const statement = (i === places.length - 1 ? giving : undefined) ?? stands;
    const rule = statement?.rule;
    const common = {
      call,
      depth: i + 1,
      statement,
      address: stands?.address ?? call.owner.name,
      head: rule && map.headOf(rule),
    };
    const expression = statement?.expression;
    const around = map.parentsOf(expression);
    const own = around.at(-1) ?? expression;
    found.push({
      ...common,
      kind: kindOf(call),
      name: frameName(call, statement, map, title),
      range: placeOf(own, statement, map),
    });
    let inner = expression;
    const inside: (readonly [IndexedExpression, IndexedExpression])[] = [];
    for (const parent of around) {
      if (inner !== undefined) inside.push([parent, inner]);
      inner = parent;
    }
    // From the outside in.
    for (const [parent, one] of inside.toReversed()) {
      const text = map.shortTextOf(rangeOf(parent)) ?? '';
      found.push({ ...common, kind: innerKind(text), name: text, range: rangeOf(one) });
    }
  });
  return found.reverse().map((frame, id) => ({ ...frame, id }));
}

/** `data.authz.allow`; with `-O` also the rule whose body stands in another one. */
function frameName(call: MachineFrame, statement: MappedStatement | undefined, map: PlanMap, title: string): string {
  const { owner } = call;
  const rule = statement?.rule;
  if (statement?.reason !== 'inlined' || rule === undefined || !('params' in owner))
    return nameOfFrame(owner, rule, map, title);
  const name = nameOfFrame(owner, undefined, map, title);
  const inlined = documentText(rule.path.split('/'));
  return inlined === name ? name : `${inlined} in ${name}`;
}

function placeOf(
  expression: IndexedExpression | undefined,
  statement: MappedStatement | undefined,
  map: PlanMap,
): TextRange | undefined {
  if (expression !== undefined) return rangeOf(expression);
  return statement?.range ?? (statement && map.lineOf(statement));
}

function kindOf({ func, params }: MachineFrame): DebugFrame['kind'] {
  if (func === undefined) return 'query';
  return params > 2 ? 'function' : 'rule';
}

function innerKind(text: string): DebugFrame['kind'] {
  const [, word] = /^(every|not)\b/.exec(text) ?? [];
  return word === 'every' ? 'every' : word === 'not' ? 'negation' : 'comprehension';
}

/** `data.authz.allow`; a function with the arguments of its head. */
export function nameOfFrame(owner: Plan | Func, rule: DebugRule | undefined, map: PlanMap, title: string): string {
  if (!('params' in owner)) return title;
  const path = pathOfFunc(owner);
  // A package has no path.
  if (path === undefined) return owner.name.replace(/^g\d+\.(?=data\b)/, '');
  const name = documentText(path);
  if ((owner.params?.length ?? 0) <= 2 || rule === undefined) return name;
  const [args] = /\(.*?\)/s.exec(map.textOf(map.headOf(map.firstLink(rule))) ?? '') ?? [];
  return args === undefined ? name : `${name}${args}`;
}

/** Where the value of a function stands: `['authz', 'allow']`; undefined for literals. */
export function pathOfFunc({ path }: Func): readonly string[] | undefined {
  return path === undefined || path.length < 2 ? undefined : path.slice(1);
}

/** A variable that nobody can set. */
export function variable(
  name: string,
  value: Value | undefined,
  expression: string | undefined = name,
): SessionVariable {
  return { name, value, isWritable: false, expression };
}

/**
 * The variables of a rule at a statement, in the order of their statements: those that have no
 * value yet are undefined.
 */
export function variablesOf({ call, statement }: ViewedFrame, map: PlanMap): ReadonlyMap<string, Value | undefined> {
  const found = new Map<string, Value | undefined>();
  if (statement === undefined) return found;
  const here = map.namesAt(statement.address);
  const { rule } = statement;
  const text = rule === undefined ? undefined : map.ruleText(rule);
  const own = text === undefined ? undefined : wordsIn(text);
  for (const name of map.namesOfRule(statement)) {
    // A rule into which others have been written shows its own variables only.
    if (own?.has(name) === false) continue;
    const local = here.get(name);
    found.set(name, local === undefined ? undefined : call.get(local));
  }
  for (const [name, local] of here) found.set(name, call.get(local));
  return found;
}

/** The numbered locals that have a value. */
export function frameLocals({ call }: ViewedFrame): readonly (readonly [name: string, value: Value])[] {
  const found: [string, Value][] = [];
  call.locals.forEach((value, i) => {
    if (value !== undefined && i > 1) found.push([`l${i}`, value]);
  });
  return found;
}
