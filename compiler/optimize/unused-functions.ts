/** Functions that are not called, and entries of the tables that are not referred to. */

import type { Func, Operand, Policy, Stmt } from '../../ir-schema/index.js';
import { effectsOf, walkBlocks, walkStatements } from '../../ir-schema/index.js';
import { noteMember } from '../plan/emit/notes.js';
import { mapBodies } from './map-bodies.js';
import { rewriteBlocks } from './rewrite.js';

/** Keeps the functions that a plan can reach by calls of any kind. */
export function removeFunctions(policy: Policy): Policy {
  const funcs = policy.funcs?.funcs;
  if (!funcs) return policy;
  const calls = new Callers(policy, funcs);
  for (const plan of policy.plans?.plans ?? []) calls.follow({ kind: 'plan', plan });
  const reached = calls.all();
  return reached.size === funcs.length
    ? policy
    : { ...policy, funcs: { ...policy.funcs, funcs: funcs.filter((func) => reached.has(func)) } };
}

class Callers {
  readonly #strings: readonly string[];
  readonly #byName: ReadonlyMap<string, Func>;
  /**
   * Functions by the number of keys and the first key: most dynamic calls know it, and it tells
   * compilers' groups of rules apart.
   */
  readonly #byPath = new Map<string, Func[]>();
  readonly #byLength = new Map<number, Func[]>();
  readonly #reached = new Set<Func>();
  readonly #waiting: Func[] = [];
  /** Dynamic calls by the known parts of their paths: many are alike. */
  readonly #dynamic = new Set<string>();

  constructor(policy: Policy, funcs: readonly Func[]) {
    this.#strings = (policy.static?.strings ?? []).map(({ value }) => value);
    this.#byName = new Map(funcs.map((func) => [func.name, func]));
    for (const func of funcs) {
      if (func.path === undefined) continue;
      push(this.#byPath, pathKey(func.path.length, func.path[0]), func);
      push(this.#byLength, func.path.length, func);
    }
  }

  follow(owner: Parameters<typeof walkBlocks>[1]): void {
    const { blocks } = owner.kind === 'plan' ? owner.plan : owner.func;
    walkBlocks(
      blocks ?? [],
      owner,
      () => '',
      (node) => this.#called(node),
    );
  }

  all(): ReadonlySet<Func> {
    for (let func = this.#waiting.pop(); func !== undefined; func = this.#waiting.pop())
      this.follow({ kind: 'func', func });
    return this.#reached;
  }

  #called({ type, stmt }: Stmt): void {
    if (type === 'CallStmt') this.#reach(this.#byName.get(stmt.func));
    if (type === 'CallDynamicStmt') this.#calledDynamically(stmt.path ?? []);
  }

  #reach(func: Func | undefined): void {
    if (func === undefined || this.#reached.has(func)) return;
    this.#reached.add(func);
    this.#waiting.push(func);
  }

  #calledDynamically(path: readonly Operand[]): void {
    const keys = path.map((key) => (key.type === 'string_index' ? this.#strings[key.value] : undefined));
    // A path of strings never equals one with a boolean.
    if (path.some((key) => key.type === 'bool')) return;
    const text = JSON.stringify(keys.map((key) => key ?? null));
    if (this.#dynamic.has(text)) return;
    this.#dynamic.add(text);
    const [first] = keys;
    const candidates =
      first === undefined ? this.#byLength.get(keys.length) : this.#byPath.get(pathKey(keys.length, first));
    for (const func of candidates ?? [])
      if (keys.every((key, i) => key === undefined || key === func.path?.[i])) this.#reach(func);
  }
}

function pathKey(length: number, first: string | undefined): string {
  return `${length} ${first ?? ''}`;
}

function push<K>(map: Map<K, Func[]>, key: K, func: Func): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [func]);
  else list.push(func);
}

/**
 * Removes strings that no statement refers to, and built-ins that none calls. Strings get new
 * numbers in the same order.
 */
export function removeStatics(policy: Policy): Policy {
  const strings = policy.static?.strings ?? [];
  const used = new Set<number>();
  const called = new Set<string>();
  walkStatements(policy, (node) => {
    for (const index of effectsOf(node).strings) used.add(index);
    if (node.type === 'CallStmt') called.add(node.stmt.func);
  });
  const builtins = policy.static?.builtin_funcs;
  const kept = builtins?.filter(({ name }) => called.has(name));
  if (used.size === strings.length && kept?.length === builtins?.length) return policy;
  const numbers = new Map([...strings.keys()].filter((index) => used.has(index)).map((index, i) => [index, i]));
  const tables = {
    ...policy.static,
    ...(policy.static?.strings && { strings: strings.filter((_, index) => used.has(index)) }),
    ...(kept && { builtin_funcs: kept }),
  };
  const renumbered = numbers.size === strings.length ? policy : renumber(policy, numbers);
  return { ...renumbered, static: tables };
}

function renumber(policy: Policy, numbers: ReadonlyMap<number, number>): Policy {
  return mapBodies(policy, ({ blocks }) =>
    rewriteBlocks(blocks, (node) => {
      const { strings: indexes } = effectsOf(node);
      return indexes.every((index) => numbers.get(index) === index) ? undefined : [renumbered(node, numbers)];
    }),
  );
}

function isOperand(value: unknown): value is Operand {
  return typeof value === 'object' && value !== null && 'type' in value && 'value' in value;
}

function renumbered(node: Stmt, numbers: ReadonlyMap<number, number>): Stmt {
  const { type, stmt } = node;
  const operand = (value: unknown): unknown =>
    isOperand(value) && value.type === 'string_index'
      ? { type: 'string_index', value: numbers.get(value.value) }
      : value;
  const copy: Record<string, unknown> = { ...noteMember(node) };
  for (const [field, value] of Object.entries(stmt) as [string, unknown][]) {
    copy[field] = Array.isArray(value) ? value.map(operand) : operand(value);
  }
  if (type === 'MakeNumberRefStmt') {
    copy.index = numbers.get(stmt.index);
    if (stmt.Index !== undefined) copy.Index = copy.index;
  }
  if (type === 'WithStmt' && stmt.path !== null) copy.path = stmt.path.map((index) => numbers.get(index));
  return { type, stmt: copy } as unknown as Stmt;
}
