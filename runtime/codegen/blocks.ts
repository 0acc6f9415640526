/** The JavaScript of blocks, and of statements that have blocks or leave them. */
import { minIndexed } from '../evaluation/array-indexes.js';
import type { LoweredBlock, LoweredOf, LoweredStmt } from '../lowering/lowered.js';
import { writeLeaf } from './leaf.js';
import type { Writer } from './writer.js';

/** Blocks that run one after the other, also after one that is cut short. */
export function writeSequence(blocks: readonly LoweredBlock[], w: Writer): void {
  for (const block of blocks) {
    const label = `b${w.id()}`;
    w.line(`${label}: {`);
    writeBlock(block, `break ${label};`, w);
    w.line('}');
    w.joined();
  }
}

function writeBlock(block: LoweredBlock, cut: string, w: Writer): void {
  w.inBlock(cut, () => {
    for (const stmt of block) {
      w.fresh.before(stmt);
      writeStatement(stmt, w);
      w.fresh.after(stmt);
    }
  });
}

function writeStatement(stmt: LoweredStmt, w: Writer): void {
  switch (stmt.kind) {
    case 'moveOnce':
      return writeMoveOnce(stmt, w);
    case 'break':
      restoreWiths(stmt.withs, w);
      return w.line(w.cut(stmt.index));
    case 'return':
      restoreWiths(stmt.withs, w);
      return w.line(`return ${w.register(stmt.source)};`);
    case 'blocks':
      return writeSequence(stmt.blocks, w);
    case 'not':
      return writeNot(stmt, w);
    case 'with':
      return writeWith(stmt, w);
    case 'scan':
      return writeScan(stmt, w);
    default:
      return writeLeaf(stmt, w);
  }
}

function writeMoveOnce({ origin, target, source, exits }: LoweredOf<'moveOnce'>, w: Writer): void {
  w.at(origin);
  const [old, value] = [w.register(target), w.operand(source)];
  const differs = [source >= 0 ? `${value} !== undefined && ` : '', `${old} !== ${value} && !${w.use('equal')}(${old}, ${value})`].join('');
  w.line(`if (${old} === undefined) ${old} = ${value}; else if (${differs}) throw conflict();`);
  if (exits) w.line(w.exit());
}

/** Undoes the innermost `with`s before a statement that leaves them. */
function restoreWiths(count: number, w: Writer): void {
  for (const { register, id } of w.withs.slice(w.withs.length - count).reverse()) {
    w.line(`${register} = w${id}; x.restoreMemory(m${id});`);
  }
}

function writeNot({ block }: LoweredOf<'not'>, w: Writer): void {
  const label = `b${w.id()}`;
  w.line(`${label}: {`);
  writeBlock(block, `break ${label};`, w);
  w.line(`${w.cut()} }`);
  w.joined();
}

function writeWith({ origin, register, path, value, block }: LoweredOf<'with'>, w: Writer): void {
  const id = w.id();
  const replaced = w.register(register);
  const operand = w.operand(value);
  w.at(origin);
  w.line(`let h${id} = false; const w${id} = ${replaced}, m${id} = x.freshMemory();`);
  w.line(`${replaced} = ${w.use('withValueAt')}(${replaced}, P[${path}], ${operand});`);
  w.line(`b${id}: {`);
  w.withs.push({ register: replaced, id });
  writeBlock(block, `break b${id};`, w);
  w.withs.pop();
  w.line(`h${id} = true; }`);
  w.line(`${replaced} = w${id}; x.restoreMemory(m${id});`);
  w.line(`if (!h${id}) ${w.cut()}`);
  w.joined();
}

/**
 * The sequence `q` of a scan is the array, or the sorted keys or members of `o`; or positions in
 * the array `o` where an index has them.
 */
function writeScan(stmt: LoweredOf<'scan'>, w: Writer): void {
  const id = w.id();
  const [q, o, i, e] = [`q${id}`, `o${id}`, `i${id}`, `e${id}`];
  w.at(stmt.origin);
  w.line(`let ${q} = ${w.register(stmt.source)}, ${o}, ${i} = 0;`);
  w.line(
    stmt.copied ? `if (Array.isArray(${q})) { ${w.use('countWork')}(${q}.length); ${q} = ${q}.slice(); }` : `if (Array.isArray(${q})) {}`,
  );
  w.line(`else if (typeof ${q} !== "object" || ${q} === null || ${q} instanceof ${w.use('ExactNumber')}) ${w.cut()}`);
  w.line(`else if (${q} instanceof ${w.use('RegoSet')}) { ${o} = ${w.use('ofSet')}; ${q} = ${w.use('sortedMembers')}(${q}); }`);
  w.line(`else { ${o} = ${q}; ${q} = ${w.use('sortedKeys')}(${q}); }`);
  for (const ahead of stmt.ahead) writeStatement(ahead, w);
  if (stmt.index !== undefined) {
    const wanted = w.operand(stmt.index.wanted);
    w.line(`if (${wanted} !== undefined && ${o} === undefined && ${q}.length >= ${minIndexed}) {`);
    w.line(`const p = x.positions(${q}, P[${stmt.index.path}], ${wanted}, ${stmt.index.lasting});`);
    w.line(`if (p !== undefined) { ${o} = ${q}; ${q} = p; } }`);
  }
  w.joined();
  const [key, value] = [w.register(stmt.key), w.register(stmt.value)];
  w.line(`l${id}: while (${i} < ${q}.length) {`);
  w.at(stmt.origin);
  w.line(`if ((x.meter.left -= ${stmt.weight}) < 0) x.meter.refill();`);
  w.line(`const ${e} = ${q}[${i}];`);
  w.line(`if (${o} === undefined) { ${key} = ${i}; ${value} = ${e}; }`);
  w.line(`else { ${key} = ${e}; ${value} = ${o} === ${w.use('ofSet')} ? ${e} : ${w.use('valueAt')}(${o}, ${e}); }`);
  w.line(`${i}++;`);
  writeBlock(stmt.block, `continue l${id};`, w);
  w.line('}');
  w.joined();
}
