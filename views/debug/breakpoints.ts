/** Breakpoints: their names, the statements where they stop, and their hits. */

import { documentText } from '../../compiler/index.js';
import type { Func, Stmt } from '../../ir-schema/index.js';
import type { FrameExpression } from './frame-expressions.js';
import { writersOf } from './last-write.js';
import type { MappedStatement, PlanMap } from './plan-map.js';
import type { Breakpoint, BreakpointPlace, BreakpointRequest, TextRange } from './session.js';
import { DebugError } from './session.js';
import { pathOfFunc } from './stack-view.js';

/** The statements of a place. */
interface Resolved {
  readonly statements: readonly MappedStatement[];
  readonly range: TextRange | undefined;
  readonly message: string | undefined;
}

/** Part of a log point's text. */
type LogPart = string | { readonly text: string; readonly expression: FrameExpression };

export interface ActiveBreakpoint extends Breakpoint {
  readonly statements: ReadonlySet<Stmt>;
  readonly test: FrameExpression | undefined;
  readonly parts: readonly LogPart[] | undefined;
  /** Positions at which its condition held, in order. */
  readonly positions: number[];
  readonly isWanted: (visit: number) => boolean;
  /** The statements that write the variable of a data breakpoint, with its local. */
  readonly written: ReadonlyMap<Stmt, number> | undefined;
  /** The rule's path of a data breakpoint, and the keys below it. */
  readonly watched: { readonly owners: ReadonlySet<Func>; readonly rest: readonly string[] } | undefined;
}

/** Compiles an expression for the statements where a breakpoint stops. */
export type PrepareAt = (text: string, statements: readonly MappedStatement[]) => FrameExpression;

export class Breakpoints {
  readonly #map: PlanMap;
  readonly #prepare: PrepareAt;
  readonly #all = new Map<number, ActiveBreakpoint>();
  #byStatement = new Map<Stmt, ActiveBreakpoint[]>();
  #watching: ActiveBreakpoint[] = [];
  #last = 0;

  constructor(map: PlanMap, prepare: PrepareAt) {
    this.#map = map;
    this.#prepare = prepare;
  }

  get all(): readonly ActiveBreakpoint[] {
    return [...this.#all.values()];
  }

  /** The breakpoints that stop before a statement. */
  at(stmt: Stmt): readonly ActiveBreakpoint[] | undefined {
    return this.#byStatement.get(stmt);
  }

  get watching(): readonly ActiveBreakpoint[] {
    return this.#watching;
  }

  /** Throws a DebugError where a condition, a log text or a hit count cannot be read. */
  add(request: BreakpointRequest): ActiveBreakpoint {
    const isWanted = hitTest(request.hit);
    const { statements, range, message } = this.resolve(request.place);
    const watched = request.place.kind === 'data' ? this.#watchedBy(request.place.path) : undefined;
    const written = request.place.kind === 'data' ? this.#variable(request.place.path) : undefined;
    const tested = watched === undefined || written !== undefined ? statements : this.#givingIn(watched.owners);
    const test = request.condition === undefined ? undefined : this.#prepare(request.condition, tested);
    const parts = request.log === undefined ? undefined : this.#logParts(request.log, tested);
    const positions: number[] = [];
    const verified = statements.length > 0 || (watched?.owners.size ?? 0) > 0;
    const added: ActiveBreakpoint = {
      ...request,
      id: ++this.#last,
      verified,
      ...(message !== undefined && { message }),
      ...(range !== undefined && { range }),
      statements: new Set(written === undefined ? statements.map(({ stmt }) => stmt) : []),
      written,
      test,
      parts,
      positions,
      isWanted,
      watched,
      get hits() {
        return positions.length;
      },
    };
    this.#all.set(added.id, added);
    this.#index();
    return added;
  }

  remove(id: number): boolean {
    const removed = this.#all.delete(id);
    this.#index();
    return removed;
  }

  /** Forgets the hits of the last evaluation. */
  forget(): void {
    for (const { positions } of this.#all.values()) positions.length = 0;
  }

  #index(): void {
    this.#byStatement = new Map();
    for (const breakpoint of this.#all.values()) {
      for (const stmt of breakpoint.statements) {
        const list = this.#byStatement.get(stmt);
        if (list === undefined) this.#byStatement.set(stmt, [breakpoint]);
        else list.push(breakpoint);
      }
    }
    this.#watching = this.all.filter(({ watched }) => watched !== undefined);
  }

  resolve(place: BreakpointPlace): Resolved {
    switch (place.kind) {
      case 'line':
        return this.#line(place.file, place.row, place.col);
      case 'rule':
        return this.#rule(place.name);
      case 'statement': {
        const found = this.#map.at(place.address);
        if (found === undefined) return nothing(`the plan has no statement ${place.address}`);
        return { statements: [found], range: found.range ?? this.#map.lineOf(found), message: undefined };
      }
      case 'data':
        return this.#data(place.path);
    }
  }

  #data(path: string): Resolved {
    const { owners } = this.#watchedBy(path);
    if (owners.size > 0) return { statements: [], range: undefined, message: undefined };
    const written = this.#variable(path);
    if (written === undefined) return nothing(`no rule gives ${path} a value`);
    return { statements: [...written.keys()].map((stmt) => this.#map.of(stmt)), range: undefined, message: undefined };
  }

  /** Where variables of a name get their values; undefined for the path of a rule. */
  #variable(name: string): ReadonlyMap<Stmt, number> | undefined {
    if (!/^[A-Za-z_]\w*$/.test(name) || this.#watchedBy(name).owners.size > 0) return undefined;
    const written = writersOf(name, this.#map);
    return written.size > 0 ? written : undefined;
  }

  /** The paths of the rules that the plan has functions for. */
  get ruleNames(): readonly string[] {
    const found = new Set<string>();
    for (const { body } of this.#map.addresses.owners) {
      const path = 'params' in body ? pathOfFunc(body) : undefined;
      if (path !== undefined) found.add(documentText(path));
    }
    return [...found];
  }

  /** The functions of a rule, or of the rules that a path is below. */
  ownersOf(path: string): ReadonlySet<Func> {
    return this.#watchedBy(path).owners;
  }

  /** The places of a file where a breakpoint can stand, in the order of the text. */
  locations(file: string): readonly TextRange[] {
    const [name] = this.#filesNamed(file);
    const found = new Map<string, TextRange>();
    for (const { begins, range } of this.#map.statements) {
      if (!begins.expression || range === undefined || range.file !== name) continue;
      found.set(`${range.row}:${range.col}`, range);
    }
    return [...found.values()].sort((a, b) => a.row - b.row || a.col - b.col);
  }

  #line(file: string, row: number, col: number | undefined): Resolved {
    const [name, ...others] = this.#filesNamed(file);
    if (name === undefined) return nothing(`no policy that is evaluated has the name ${file}`);
    if (others.length > 0) return nothing(`${file} names several policies: ${[name, ...others].join(', ')}`);
    const all = this.locations(name);
    const first = all.find((range) => range.row >= row);
    const source = this.#map.source(name);
    const note = source === undefined ? otherText : source.note;
    if (first === undefined) return nothing(noted(`nothing is evaluated at line ${row} of ${name} or below it`, note));
    const target = first.row;
    const message = noted(target === row ? undefined : `moved to line ${target}`, note);
    const heads = col === undefined || target !== row ? this.#headsAt(name, target) : [];
    const rule = heads[0]?.rule;
    if (rule !== undefined) return { statements: heads, range: this.#map.headOf(rule), message };
    const range =
      target !== row || col === undefined ? first : (all.find((one) => one.row === row && one.col >= col) ?? first);
    const statements = [...this.#map.statements].filter(
      (one) =>
        one.begins.expression && one.range?.file === name && one.range.row === range.row && one.range.col === range.col,
    );
    return { statements, range, message };
  }

  /** The first statements of the rules whose head is in a line. */
  #headsAt(file: string, row: number): readonly MappedStatement[] {
    if (this.#map.index === undefined) return [];
    return [...this.#map.statements].filter(({ begins, rule }) => {
      const head = begins.rule && rule !== undefined ? this.#map.headOf(rule) : undefined;
      return head?.file === file && head.row === row;
    });
  }

  #rule(name: string): Resolved {
    const statements = [...this.#map.statements].filter(({ begins, rule, at }) => {
      if (this.#map.index !== undefined)
        return begins.rule && rule !== undefined && isNamed(rule.path.split('/'), name);
      const [first] = this.#map.addresses.inside(at.owner);
      const path = 'params' in at.owner.body ? pathOfFunc(at.owner.body) : undefined;
      return first === at && path !== undefined && isNamed(path, name);
    });
    const [first] = statements;
    if (first === undefined) return nothing(`no rule that is evaluated has the name ${name}`);
    return {
      statements,
      range: first.rule === undefined ? first.range : this.#map.headOf(first.rule),
      message: undefined,
    };
  }

  #watchedBy(path: string): NonNullable<ActiveBreakpoint['watched']> {
    const keys = keysOf(path);
    const owners = new Set<Func>();
    let rest: readonly string[] = [];
    for (const { body } of this.#map.addresses.owners) {
      const own = 'params' in body ? pathOfFunc(body) : undefined;
      if (own === undefined || own.length > keys.length || own.some((key, i) => key !== keys[i])) continue;
      owners.add(body as Func);
      rest = keys.slice(own.length);
    }
    if (owners.size === 0 && !path.startsWith('data.')) for (const owner of this.#named(path)) owners.add(owner);
    return { owners, rest };
  }

  /** The functions of the rules that end in a name which no variable has. */
  *#named(name: string): Iterable<Func> {
    if (writersOf(name, this.#map).size > 0) return;
    for (const { body } of this.#map.addresses.owners) {
      const path = 'params' in body ? pathOfFunc(body) : undefined;
      if (path !== undefined && isNamed(path, name)) yield body as Func;
    }
  }

  /** The statements that give rules their values. */
  #givingIn(owners: ReadonlySet<Func>): readonly MappedStatement[] {
    return [...owners].flatMap((owner) => this.#map.inside(owner).filter(({ givesValue }) => givesValue));
  }

  /** The name that positions have for a file of a client; undefined unless one fits. */
  fileOf(path: string): string | undefined {
    const [name, ...others] = this.#filesNamed(path);
    return others.length === 0 ? name : undefined;
  }

  /** The names of sources as positions have them, for a name, a path, or the end of either. */
  #filesNamed(file: string): readonly string[] {
    const names = new Set<string>();
    for (const { range } of this.#map.statements) if (range !== undefined) names.add(range.file);
    if (names.has(file)) return [file];
    const bare = file.replace(/^(?:\.\/)+/, '');
    return [...names].filter((name) => {
      const path = this.#map.source(name)?.path;
      return (
        path === file ||
        name === bare ||
        name.endsWith(`/${bare}`) ||
        bare.endsWith(name.startsWith('/') ? name : `/${name}`) ||
        path?.endsWith(`/${bare}`) === true
      );
    });
  }

  #logParts(text: string, statements: readonly MappedStatement[]): readonly LogPart[] {
    return text.split(/(\{[^{}]+\})/).map((part): LogPart => {
      const [, inner] = /^\{([^{}]+)\}$/.exec(part) ?? [];
      return inner === undefined ? part : { text: inner, expression: this.#prepare(inner, statements) };
    });
  }
}

const otherText = 'its text is not there, or has changed since the plan was built';

function noted(message: string, note: string | undefined): string;
function noted(message: string | undefined, note: string | undefined): string | undefined;
function noted(message: string | undefined, note: string | undefined): string | undefined {
  return message === undefined || note === undefined ? (message ?? note) : `${message}: ${note}`;
}

function nothing(message: string): Resolved {
  return { statements: [], range: undefined, message };
}

/** `data.authz.allow`, `authz.allow` and `allow` name the rule `authz/allow`. */
function isNamed(path: readonly string[], name: string): boolean {
  const whole = documentText(path);
  return whole === name || whole.endsWith(`.${name}`);
}

/** The keys of a path below `data`: `data.a.b`, `a.b`, `a["b c"]`. */
function keysOf(path: string): readonly string[] {
  const keys = [...path.matchAll(/([A-Za-z_]\w*)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)].map(
    ([, name, text, index]) => name ?? text ?? index ?? '',
  );
  return keys[0] === 'data' ? keys.slice(1) : keys;
}

/** Whether to stop at a visit, counted from 1. */
function hitTest(hit: string | undefined): (visit: number) => boolean {
  if (hit === undefined || hit.trim() === '') return () => true;
  const [, operator = '==', digits] = /^\s*(==|=|>=|>|<=|<|%)?\s*(\d{1,9})\s*$/.exec(hit) ?? [];
  const count = Number(digits);
  if (digits === undefined || (operator === '%' && count === 0))
    throw new DebugError(
      'invalid_breakpoint',
      `a hit count is a number, or >, >=, <, <= or % with a number, not ${hit}`,
    );
  switch (operator) {
    case '>':
      return (visit) => visit > count;
    case '>=':
      return (visit) => visit >= count;
    case '<':
      return (visit) => visit < count;
    case '<=':
      return (visit) => visit <= count;
    case '%':
      return (visit) => visit % count === 0;
    default:
      return (visit) => visit === count;
  }
}
