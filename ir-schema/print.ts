import type { Block, Func, Plan, Policy, Stmt } from './plan.js';
import { StatementText } from './statement-text.js';
import { blocksOf, walkBlocks } from './walk.js';

/** Positions stand in one column where the statements leave room. */
const positionColumn = 64;
/**
 * Deeper statements are not indented further: the listing must not grow with the square of the
 * depth.
 */
const deepestIndent = 60;

/**
 * A plan as text: every plan, then every function, nested by indentation, with source positions.
 * @example
 * plan "authz/allow"
 *   block 0
 *     Call l2 := g0.data.authz.allow(input, data)                  policy.rego:3:1
 */
export function printPolicy(policy: Policy): string {
  const text = new StatementText(policy);
  const plans = (policy.plans?.plans ?? []).map((plan) => printPlan(plan, text));
  const funcs = (policy.funcs?.funcs ?? []).map((func) => printFunc(func, text));
  return [...plans, ...funcs].join('\n');
}

/**
 * The listing of one entrypoint, with the functions that it can reach, or of one function: see
 * `selectByName`.
 */
export function printSelected(policy: Policy, name: string): string | undefined {
  const text = new StatementText(policy);
  const selected = selectByName(policy, name);
  if (selected === undefined) return undefined;
  return [...selected.plans.map((plan) => printPlan(plan, text)), ...selected.funcs.map((func) => printFunc(func, text))].join('\n');
}

/**
 * One entrypoint with the functions that it can reach, or the functions of a name.
 * @param name a plan's name (`authz/allow`), a function's name (`g0.data.authz.allow`), or its
 *   path with dots (`data.authz.allow`)
 * @returns undefined if the policy has neither
 */
export function selectByName(
  policy: Policy,
  name: string,
): { readonly plans: readonly Plan[]; readonly funcs: readonly Func[] } | undefined {
  const plan = policy.plans?.plans?.find((candidate) => candidate.name === name);
  if (plan) return { plans: [plan], funcs: reachableFuncs(policy, plan) };
  const funcs = policy.funcs?.funcs ?? [];
  const named = funcs.filter((func) => func.name === name);
  const chosen = named.length > 0 ? named : funcs.filter((func) => dottedPath(func) === name);
  return chosen.length > 0 ? { plans: [], funcs: chosen } : undefined;
}

/**
 * A function's path as a policy writes it: compilers put a group of their own (`g0`) first, which
 * stands for `data`.
 */
function dottedPath(func: Func): string | undefined {
  return func.path && func.path.length > 0 ? ['data', ...func.path.slice(1)].join('.') : undefined;
}

/**
 * The functions that a plan calls, directly or through others, each once, in the order of the
 * first call.
 */
function reachableFuncs(policy: Policy, plan: Plan): Func[] {
  const funcs = policy.funcs?.funcs ?? [];
  const byName = new Map(funcs.map((func) => [func.name, func]));
  const found = new Set<Func>();
  const waiting: (Plan | Func)[] = [plan];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const func of calledFrom(next, funcs, byName, policy)) {
      if (found.has(func)) continue;
      found.add(func);
      waiting.push(func);
    }
  }
  return [...found];
}

function calledFrom(caller: Plan | Func, funcs: readonly Func[], byName: ReadonlyMap<string, Func>, policy: Policy): Func[] {
  const called: Func[] = [];
  const owner = { kind: 'plan', plan: caller } as const;
  walkBlocks(
    caller.blocks ?? [],
    owner,
    () => '',
    ({ type, stmt }) => {
      if (type === 'CallStmt') called.push(...[byName.get(stmt.func)].filter((func) => func !== undefined));
      if (type === 'CallDynamicStmt') called.push(...funcs.filter((func) => mayCall(stmt.path, func.path, policy)));
    },
  );
  return called;
}

/**
 * Whether a dynamic call can reach a path: of the same length, and equal where the call's path is
 * constant.
 */
function mayCall(
  keys: Extract<Stmt, { type: 'CallDynamicStmt' }>['stmt']['path'],
  path: readonly string[] | undefined,
  policy: Policy,
): boolean {
  if (!keys || !path || keys.length !== path.length) return false;
  return keys.every(
    (key, i) => key.type === 'local' || (key.type === 'string_index' && policy.static?.strings?.[key.value]?.value === path[i]),
  );
}

function printPlan(plan: Plan, text: StatementText): string {
  return `plan ${JSON.stringify(plan.name)}\n${printBlocks(plan.blocks ?? [], text)}`;
}

function printFunc(func: Func, text: StatementText): string {
  const path = func.path ? ` path ${func.path.join('/')}` : '';
  return `func ${func.name}(${text.locals(func.params)}) returns ${text.local(func.return)}${path}\n${printBlocks(func.blocks ?? [], text)}`;
}

function printBlocks(blocks: readonly Block[], text: StatementText): string {
  const lines: string[] = [];
  blocks.forEach((block, i) => {
    lines.push(`  block ${i}`);
    pushBlock(lines, block, text, 2);
  });
  return lines.map((line) => `${line}\n`).join('');
}

function pushBlock(lines: string[], block: Block, text: StatementText, level: number): void {
  for (const stmt of block.stmts) {
    lines.push(`${`${indent(level)}${text.statement(stmt)}`.padEnd(positionColumn)}  ${text.position(stmt)}`);
    blocksOf(stmt).forEach((inner, i) => {
      // Only a BlockStmt can have several, which run in turn.
      if (stmt.type === 'BlockStmt') lines.push(`${indent(level + 1)}block ${i}`);
      pushBlock(lines, inner, text, level + (stmt.type === 'BlockStmt' ? 2 : 1));
    });
  }
}

function indent(level: number): string {
  return '  '.repeat(Math.min(level, deepestIndent));
}
