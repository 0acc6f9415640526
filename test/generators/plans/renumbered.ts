import type { Block, Func, Plan, Policy, Stmt } from '../../../ir-schema/plan.js';
import { Choices } from '../choices.js';

/** Fields that are numbers, but not of locals, by statement. */
const otherNumbers: { readonly [type: string]: readonly string[] } = {
  AssignIntStmt: ['value'],
  MakeNumberIntStmt: ['value'],
  MakeArrayStmt: ['capacity'],
  BreakStmt: ['index'],
};
const places = ['file', 'row', 'col', 'end_row', 'end_col'];

/**
 * The same policy with other numbers for locals and strings, functions in another order, and other
 * positions. The first two locals of plans are the documents.
 */
export function renumbered(policy: Policy, seed: number): Policy {
  const choices = new Choices(seed);
  const strings = policy.static?.strings ?? [];
  const order = choices.shuffled([...strings.keys()]);
  const indexes = new Map(order.map((from, to) => [from, to]));
  const string = (index: number) => indexes.get(index) ?? index;
  const plan = (body: Plan): Plan => ({ ...body, blocks: blocksOf(body.blocks, localsOf(choices, [0, 1]), string) });
  const func = (body: Func): Func => {
    const local = localsOf(choices, []);
    return { ...body, params: body.params?.map(local) ?? null, return: local(body.return), blocks: blocksOf(body.blocks, local, string) };
  };
  return {
    ...policy,
    static: { ...policy.static, strings: order.map((index) => strings[index]!) },
    plans: { plans: policy.plans?.plans?.map(plan) ?? null },
    funcs: { funcs: policy.funcs?.funcs ? choices.shuffled(policy.funcs.funcs.map(func)) : null },
  };
}

function localsOf(choices: Choices, kept: readonly number[]): (local: number) => number {
  const numbers = new Map(kept.map((local) => [local, local]));
  const taken = new Set(kept);
  return (local) => {
    let number = numbers.get(local);
    if (number === undefined) {
      do number = choices.below(10_000);
      while (taken.has(number));
      numbers.set(local, number);
      taken.add(number);
    }
    return number;
  };
}

type Renumber = (number: number) => number;

function blocksOf(blocks: readonly Block[] | null, local: Renumber, string: Renumber): Block[] | null {
  return blocks?.map(({ stmts }) => ({ stmts: stmts.map((stmt) => stmtOf(stmt, local, string)) })) ?? null;
}

function stmtOf({ type, stmt }: Stmt, local: Renumber, string: Renumber): Stmt {
  const field = (name: string, value: unknown): unknown => {
    if (name === 'blocks') return blocksOf(value as Block[] | null, local, string);
    if (name === 'block') return value === null ? null : blocksOf([value as Block], local, string)![0];
    if (places.includes(name)) return (value as number) + 7;
    if ((type === 'MakeNumberRefStmt' && /^index$/i.test(name)) || (type === 'WithStmt' && name === 'path')) {
      return Array.isArray(value) ? value.map(string) : value === null ? null : string(value as number);
    }
    return otherNumbers[type]?.includes(name) === true ? value : operand(value);
  };
  const operand = (value: unknown): unknown => {
    if (typeof value === 'number') return local(value);
    if (Array.isArray(value)) return value.map(operand);
    if (typeof value !== 'object' || value === null) return value;
    const { type: kind, value: number } = value as { type: string; value: number };
    if (kind === 'bool') return value;
    return { type: kind, value: kind === 'local' ? local(number) : string(number) };
  };
  return { type, stmt: Object.fromEntries(Object.entries(stmt).map(([name, value]) => [name, field(name, value)])) } as unknown as Stmt;
}
