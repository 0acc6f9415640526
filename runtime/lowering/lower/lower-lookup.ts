/** Look-ups and copies: a path below a parameter is looked up once, a copy shares a register. */
import type { Block, Operand, Stmt } from '../../../ir-schema/index.js';
import type { Index, Register } from '../lowered.js';
import { hoistLookups, pathBelow, protoName } from '../passes/hoisted-lookups.js';
import type { LowerContext } from './lower-context.js';

type Of<T extends Stmt['type']> = Stmt & { readonly type: T };

export function lowerAssignVar(node: Of<'AssignVarStmt'>, origin: Index, block: Block, context: LowerContext): void {
  const { source, target } = node.stmt;
  const { facts, lookups, registers } = context;
  if (!facts.uses.isRead(target)) return;
  if (source.type === 'local') lookups.follow(source.value, target);
  if (source.type === 'local' && isCopy(node, target, source.value, block, context)) {
    registers.share(target, context.register(source.value));
    lookups.setPath(target, lookups.pathOf(source.value));
    return;
  }
  context.push({ kind: 'move', origin, target: context.register(target), source: context.operand(source) });
}

/** Whether a local is only another name of one that keeps its value while this one is read. */
function isCopy(node: Stmt, target: number, source: number, block: Block, { facts, registers }: LowerContext): boolean {
  const { uses, roots } = facts;
  if (!facts.isFixed(target) || registers.hasOwn(target) || facts.isMutated(source)) return false;
  const keeps = roots.has(source) || (uses.isAssignedOnce(source) && uses.writtenBefore(source, node));
  return keeps && uses.readOnlyAfter(target, node, block);
}

export function lowerDot({ stmt: { source, key, target } }: Of<'DotStmt'>, origin: Index, context: LowerContext): void {
  const { facts, lookups, registers } = context;
  if (source.type === 'local') lookups.follow(source.value, target);
  const isBase = facts.isBaseLookup(source, key);
  if (isBase || key.type !== 'string_index' || context.string(key.value) === protoName) {
    const operands = { source: context.operand(source), key: context.operand(key) };
    return context.push({ kind: 'dot', origin, target: context.register(target), ...operands, isBase });
  }
  const name = context.string(key.value);
  const above = source.type === 'local' ? lookups.pathOf(source.value) : undefined;
  if (above === undefined || !facts.isFixed(target)) {
    lookUp(target, source, name, origin, context);
    return;
  }
  const path = pathBelow(above, name);
  lookups.setPath(target, path);
  const known = lookups.available(path);
  if (known === undefined) {
    const register = lookUp(target, source, name, origin, context);
    lookups.setAvailable(path, { register, ahead: false });
    return;
  }
  registers.share(target, known.register);
  if (!known.ahead) return;
  context.push({ kind: 'isDefined', origin, source: known.register });
  lookups.setAvailable(path, { register: known.register, ahead: false });
}

/** Answers the register of the result. */
function lookUp(target: number, source: Operand, name: string, origin: Index, context: LowerContext): Register {
  const register = context.register(target);
  const key = context.tables.constant(name);
  context.push({ kind: 'dotConst', origin, target: register, source: context.operand(source), key });
  return register;
}

/** Looks up before a loop what each round would look up below parameters. */
export function lowerHoisted(scan: Of<'ScanStmt'>, origin: Index, context: LowerContext): void {
  const { facts, lookups, registers, tables } = context;
  hoistLookups(scan, facts, lookups, (above, source, name) => {
    const from = lookups.available(above)?.register ?? context.register(source);
    const target = registers.temporaries(1);
    context.push({ kind: 'dotAhead', origin, target, source: from, key: tables.constant(name) });
    return target;
  });
}
