/** The JavaScript of blocks, and of statements that have blocks or leave them. */
import type { LoweredBlock, LoweredOf, LoweredStmt } from '../lowering/lowered.js';
import { learnFrom } from './known/learn.js';
import { writeLeaf } from './leaf.js';
import { writeScan } from './loops/scans.js';
import type { CodeWriter } from './writer.js';

/** Blocks that run one after the other, also after one that is cut short. */
export function writeSequence(blocks: readonly LoweredBlock[], w: CodeWriter): void {
  for (const block of blocks) {
    const label = `b${w.id()}`;
    w.line(`${label}: {`);
    writeBlock(block, `break ${label};`, w);
    w.line('}');
    w.joined();
  }
}

function writeBlock(block: LoweredBlock, cut: string, w: CodeWriter): void {
  w.inBlock(cut, () => writeStatements(block, w));
}

/** Statements of the enclosing block. */
function writeStatements(block: LoweredBlock, w: CodeWriter): void {
  for (const stmt of block) {
    w.fresh.before(stmt);
    writeStatement(stmt, w);
    w.fresh.after(stmt);
  }
}

function writeStatement(stmt: LoweredStmt, w: CodeWriter): void {
  const around = w.mark(stmt.origin);
  writeText(stmt, w);
  learnFrom(stmt, w);
  w.mark(around);
}

function writeText(stmt: LoweredStmt, w: CodeWriter): void {
  switch (stmt.kind) {
    case 'moveOnce':
      return writeMoveOnce(stmt, w);
    case 'break':
      restoreWiths(stmt.withs, w);
      return w.line(w.cut(stmt.index));
    case 'endLoop':
      return w.line(`if (!x.evaluation.strict && !x.evaluation.reportsFailures) ${w.cut(stmt.index)}`);
    case 'return':
      restoreWiths(stmt.withs, w);
      return w.return(w.register(stmt.source));
    case 'blocks':
      return writeSequence(stmt.blocks, w);
    case 'not':
      return writeNot(stmt, w);
    case 'with':
      return writeWith(stmt, w);
    case 'scan':
      return writeScan(stmt, { block: writeBlock, statement: writeStatement }, w);
    default:
      return writeLeaf(stmt, w);
  }
}

function writeMoveOnce({ origin, target, source, exits }: LoweredOf<'moveOnce'>, w: CodeWriter): void {
  w.at(origin);
  const [old, value] = [w.register(target), w.operand(source)];
  if (w.known.of(target) === 'undefined') w.line(`${old} = ${value};`);
  else {
    const differs = [
      ...w.undefinedOf(source).map((text) => `!(${text})`),
      `${old} !== ${value}`,
      `!${w.use('equal')}(${old}, ${value})`,
    ];
    // In the text of a caller, the parameters are not those of the function that is compiled.
    const params = w.label === undefined ? '' : w.func.params;
    w.line(`if (${old} === undefined) ${old} = ${value}; else if (${differs.join(' && ')}) throw conflict(${params});`);
  }
  if (exits) w.line(w.exit());
}

/** Undoes the innermost `with`s before a statement that leaves them. */
function restoreWiths(count: number, w: CodeWriter): void {
  for (const { register, id } of w.withs.slice(w.withs.length - count).reverse()) {
    w.line(`${register} = w${id}; x.restoreMemory(m${id});`);
  }
}

function writeNot({ block }: LoweredOf<'not'>, w: CodeWriter): void {
  const label = `b${w.id()}`;
  w.line(`${label}: {`);
  writeBlock(block, `break ${label};`, w);
  w.line(`${w.cut()} }`);
  w.joined();
}

/** The first parameter of a function. The second are the base documents. */
const inputRegister = 0;

function writeWith({ origin, register, path, value, block }: LoweredOf<'with'>, w: CodeWriter): void {
  const id = w.id();
  const replaced = w.register(register);
  const operand = w.operand(value);
  w.at(origin);
  w.line(`let h${id} = false; const w${id} = ${replaced}, m${id} = x.freshMemory(${register !== inputRegister});`);
  w.line(`${replaced} = ${w.use('withValueAt')}(${replaced}, P[${path}], ${operand});`);
  w.known.write(register, undefined);
  w.line(`b${id}: {`);
  w.withs.push({ register: replaced, id });
  writeBlock(block, `break b${id};`, w);
  w.withs.pop();
  w.line(`h${id} = true; }`);
  w.line(`${replaced} = w${id}; x.restoreMemory(m${id});`);
  w.known.write(register, undefined);
  w.line(`if (!h${id}) ${w.cut()}`);
  w.joined();
}
