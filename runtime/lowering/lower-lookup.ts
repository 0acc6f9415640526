/** Look-ups and copies: a path below a parameter is looked up once, a copy shares a register. */
import type { Block, Operand, Stmt } from '../../ir-schema/plan.js';
import { segmentKey } from '../../values/path-key.js';
import type { Context } from './context.js';
import type { Index, Register } from './lowered.js';

type Of<T extends Stmt['type']> = Stmt & { readonly type: T };

/** The one name that a plain property look-up gets wrong, although it is a string. */
const protoName = '__proto__';

export function lowerAssignVar(node: Of<'AssignVarStmt'>, origin: Index, block: Block, context: Context): void {
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
function isCopy(node: Stmt, target: number, source: number, block: Block, { facts, registers }: Context): boolean {
  const { uses, roots } = facts;
  if (!facts.isFixed(target) || registers.hasOwn(target) || facts.isMutated(source)) return false;
  const keeps = roots.has(source) || (uses.isAssignedOnce(source) && uses.writtenBefore(source, node));
  return keeps && uses.readOnlyAfter(target, node, block);
}

export function lowerDot({ stmt: { source, key, target } }: Of<'DotStmt'>, origin: Index, context: Context): void {
  const { facts, lookups, registers, tables } = context;
  if (source.type === 'local') lookups.follow(source.value, target);
  const isBase = facts.isBaseLookup(source, key, tables.string);
  if (isBase || key.type !== 'string_index' || tables.string(key.value) === protoName) {
    const operands = { source: context.operand(source), key: context.operand(key) };
    return context.push({ kind: 'dot', origin, target: context.register(target), ...operands, isBase });
  }
  const name = tables.string(key.value);
  const above = source.type === 'local' ? lookups.pathOf(source.value) : undefined;
  if (above === undefined || !facts.isFixed(target)) {
    lookUp(target, source, name, origin, context);
    return;
  }
  const path = below(above, name);
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
function lookUp(target: number, source: Operand, name: string, origin: Index, context: Context): Register {
  const register = context.register(target);
  const key = context.tables.constant(name);
  context.push({ kind: 'dotConst', origin, target: register, source: context.operand(source), key });
  return register;
}

/** Hoists out of a loop the look-ups below parameters that each round would repeat. */
export function hoistLookups(scan: Of<'ScanStmt'>, origin: Index, context: Context): void {
  const { facts, lookups, registers, tables } = context;
  if (lookups.searched.has(scan)) return;
  lookups.searched.add(scan);
  for (const node of scan.stmt.block?.stmts ?? []) {
    if (node.type === 'ScanStmt') hoistLookups(node, origin, context);
    if (node.type !== 'DotStmt') continue;
    const { source, key, target } = node.stmt;
    if (source.type !== 'local' || key.type !== 'string_index' || !facts.isFixed(target)) continue;
    if (facts.isBaseLookup(source, key, tables.string)) continue;
    const above = lookups.pathOf(source.value);
    const name = tables.string(key.value);
    if (above === undefined || name === protoName) continue;
    const path = below(above, name);
    lookups.setPath(target, path);
    let known = lookups.available(path);
    if (known === undefined) {
      const from = lookups.available(above)?.register ?? context.register(source.value);
      known = { register: registers.temporaries(1), ahead: true };
      context.push({ kind: 'dotAhead', origin, target: known.register, source: from, key: tables.constant(name) });
      lookups.setAvailable(path, known);
    }
    lookups.hoisted.set(target, known.register);
  }
}

/** The text of a path one step down. */
function below(path: string, key: string): string {
  return `${path}${segmentKey(key)}`;
}
