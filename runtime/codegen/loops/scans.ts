/** The JavaScript of loops. */
import { minIndexed, minNarrowed } from '../../evaluation/array-indexes.js';
import type { LoweredOf, LoweredStmt, ScanGroups, ScanIndex } from '../../lowering/lowered.js';
import { mayFailAhead } from '../../lowering/lowered.js';
import { writtenIn } from '../../lowering/register-uses.js';
import type { OrderFree } from '../../operations/any-order.js';
import { minRounds } from '../../operations/distinct-rounds.js';
import { maxPlain } from '../../operations/insert.js';
import { missingField } from '../inline/fields.js';
import { walkRound } from '../inline/walk-text.js';
import type { Kind } from '../known/known.js';
import type { CodeWriter } from '../writer.js';
import { fusedStart } from './fused.js';

/** Writes the blocks and statements inside of a loop. */
interface InnerWriter {
  block(stmts: readonly LoweredStmt[], cut: string, w: CodeWriter): void;
  statement(stmt: LoweredStmt, w: CodeWriter): void;
}

/**
 * The sequence `q` of a scan is the array, or the sorted keys or members of `o`; or positions in
 * the array `o` where an index or groups have them: then `m` is true.
 */
export function writeScan(stmt: LoweredOf<'scan'>, inner: InnerWriter, w: CodeWriter): void {
  const id = w.id();
  const [q, o, i, e] = [`q${id}`, `o${id}`, `i${id}`, `e${id}`];
  w.at(stmt.origin);
  // An array that is known to be one needs no test in each round.
  const walk = w.walks?.of(stmt);
  const isArray = walk !== undefined || w.kind(stmt.source) === 'array';
  const mayNarrow = stmt.index !== undefined || stmt.groups !== undefined;
  const isOnlyArray = isArray && !mayNarrow;
  const restarts = stmt.restarts && stmt.free !== undefined;
  if (restarts) {
    w.starts.set(stmt.free!, `a${id}`);
    w.line(`a${id}: for (;;) {`);
    w.joined();
    w.known.forget(writtenIn([stmt]));
    w.at(stmt.origin);
  }
  w.line(
    `let ${q} = ${w.register(stmt.source)}, ${isOnlyArray ? '' : `${o}, `}${i} = 0${mayNarrow ? `, m${id} = false` : ''};`,
  );
  if (isArray) {
    if (stmt.copied) w.line(`${w.use('countWork')}(${q}.length); ${q} = ${q}.slice();`);
  } else writeSequenceOf(stmt, q, o, w);
  for (const ahead of stmt.ahead) inner.statement(ahead, w);
  if (stmt.index !== undefined) writeIndex(stmt.index, isArray, id, inner, w);
  if (stmt.groups !== undefined) writeGroups(stmt.groups, id, w);
  w.joined();
  w.known.forget(writtenIn([stmt]));
  const [key, value] = [w.register(stmt.key), w.register(stmt.value)];
  w.line(`l${id}: while (${i} < ${q}.length) {`);
  w.at(stmt.origin);
  w.round(stmt.weight);
  if (walk === undefined) w.line(`const ${e} = ${q}[${i}];`);
  const ofArray = `${key} = ${i}; ${value} = ${e};`;
  if (walk !== undefined) w.line(walkRound(walk, i, w));
  else if (isOnlyArray) w.line(ofArray);
  else {
    w.line(`if (${o} === undefined) { ${ofArray} }`);
    if (mayNarrow) w.line(`else if (m${id}) { ${key} = ${e}; ${value} = ${o}[${e}]; }`);
    if (!isArray) w.line(`else { ${key} = ${e}; ${value} = ${w.use('elementAt')}(${o}, ${e}); }`);
  }
  w.line(`${i}++;`);
  w.known.enter();
  w.known.write(stmt.key, isArray ? 'number' : 'value');
  w.known.write(stmt.value, 'value');
  w.loops++;
  inner.block(stmt.block, `continue l${id};`, w);
  w.loops--;
  w.known.leave();
  if (walk?.path !== undefined) w.lazy.delete(walk.path.target);
  w.line(restarts ? '} break; }' : '}');
  w.joined();
}

/** Kinds of values for which the order of rounds does not matter, see `isOrderSeen`. */
const freeKinds: Readonly<Record<OrderFree, readonly (Kind | undefined)[]>> = {
  text: ['string', 'boolean', 'null'],
  scalar: ['string', 'boolean', 'null', 'number'],
  whole: [],
};

/** Starts a loop again before its rounds add a value for which their order matters. */
export function writeInOrder(stmt: LoweredOf<'inOrder'>, w: CodeWriter): void {
  const { free, value, unless, array } = stmt;
  if (freeKinds[unless].includes(w.kind(value))) return;
  const [ordered, text] = [w.register(free), w.operand(value)];
  const isOther = w.kind(value) === 'array' ? 'true' : `typeof ${text} === "object" && ${text} !== null`;
  const isSeen = {
    text: `(${isOther} || typeof ${text} === "number")`,
    scalar: isOther,
    whole: `!Number.isInteger(${text})`,
  }[unless];
  const fusion = w.fusions.of(stmt);
  const empty =
    array === undefined ? '' : fusion === undefined ? `${w.register(array)}.length = 0;` : fusedStart(fusion, w);
  const again = `if (${ordered} === false) { ${ordered} = true; ${empty} continue ${w.starts.get(free)}; }`;
  w.line(`if (${ordered} !== true && ${isSeen}) { ${again} ${ordered} = true; }`);
}

/**
 * Makes the sequence of a source of any kind; cuts the block short where it has none. Most are
 * arrays: functions make the others, so that V8 has less to compile and inlines more.
 */
function writeSequenceOf(
  { copied, anyOrder, free, value }: LoweredOf<'scan'>,
  q: string,
  o: string,
  w: CodeWriter,
): void {
  if (free !== undefined) {
    const ordered = w.register(free);
    // Keys of a plain object come in order.
    const isMany = w.entries?.keys.has(value) === true ? `${q}.size > ${maxPlain} && ` : '';
    const isFree = `${ordered} !== true && ${isMany}${w.use('isUnordered')}(${q}, x.evaluation)`;
    w.line(`if (!Array.isArray(${q})) { if ((${o} = ${w.use('scanned')}(${q})) === undefined) ${w.cut()}`);
    w.line(`if (${isFree}) { ${ordered} = false; ${q} = ${q}.members; } else ${q} = ${w.use('keysOf')}(${o}, ${q}); }`);
    return;
  }
  const sequence = anyOrder ? `${w.use('unsortedKeysOf')}(${o}, ${q}, x.evaluation)` : `${w.use('keysOf')}(${o}, ${q})`;
  const others = `if ((${o} = ${w.use('scanned')}(${q})) === undefined) ${w.cut()} ${q} = ${sequence};`;
  if (copied)
    w.line(`if (Array.isArray(${q})) { ${w.use('countWork')}(${q}.length); ${q} = ${q}.slice(); } else { ${others} }`);
  else w.line(`if (!Array.isArray(${q})) { ${others} }`);
}

/** The indexes of base documents last, but not those of a `with`. */
const indexesOf = (lasting: boolean, w: CodeWriter) => `${w.callee('x')}.${lasting ? 'dataIndexes' : 'indexes'}`;

/** Narrows a scan to the elements that have the wanted value. */
function writeIndex(index: ScanIndex, isArray: boolean, id: number, inner: InnerWriter, w: CodeWriter): void {
  const { path, above, reached, wanted, isMany, second, groups, lasting, ofObjects, ahead } = index;
  const [q, o, p] = [`q${id}`, `o${id}`, `p${id}`];
  const errors = mayFailAhead(index) ? ' && x.evaluation.ignoresErrors' : ' && !x.evaluation.reportsFailures';
  const mayReport = ahead.length > 0 ? errors : '';
  const isOfArray = reached === undefined ? '' : `${o} === undefined && `;
  const paths = reached === undefined ? [] : (w.constantValue(reached) as readonly (readonly string[])[]);
  const mayReach = paths.map((one) => ` && ${readerFunction(one, w)}(${q}[0]) !== undefined`).join('');
  w.line(`if (${isOfArray}${q}.length >= ${minIndexed}${mayReport}${mayReach}) {`);
  const spread = above === undefined ? '' : `, ${w.reader(`${w.use('spreadBy')}(P[${above}])`)}`;
  const [indexes, read] = [indexesOf(lasting, w), `${readerFunction(path, w)}${spread}`];
  const ofOthers = () => {
    const other = `${w.use('objectIndex')}(${indexes}.objects(P[${path}]), ${o}, ${q}, ${read})`;
    return ofObjects
      ? `${o} !== undefined ? ${other} : `
      : `typeof ${o} === "symbol" ? ${other} : ${o} !== undefined ? undefined : `;
  };
  w.line(`const ${p} = ${isArray ? '' : ofOthers()}${indexes}.index(${q}, P[${path}], ${read});`);
  w.line(`if (${p} !== undefined${ahead.length > 0 ? ` && ${p}.size > 0` : ''}) {`);
  if (ahead.length > 0) {
    w.line(`b${id}: {`);
    inner.block(ahead, `break b${id};`, w);
    w.line('}');
  }
  // Keys of an object are a sequence as all its keys are.
  const narrowing = `if (${o} === undefined) { m${id} = true; ${o} = ${q}; }`;
  if (isMany) {
    w.line(`const s${id} = ${w.use('placesOfMembers')}(${p}, ${w.operand(wanted)});`);
    w.line(`if (s${id} !== undefined) { ${narrowing} ${q} = s${id}; }`);
    return w.line('} }');
  }
  w.line(narrowing);
  w.line(`${q} = ${p}.placesOf(${w.operand(wanted)});`);
  if (second !== undefined) {
    w.line(`if (${q}.length >= ${minNarrowed} && Array.isArray(${o})) {`);
    w.line(
      `const s${id} = ${w.use('narrowed')}(${indexesOf(lasting, w)}, ${q}, ${o}, P[${second.path}], ${readerFunction(second.path, w)});`,
    );
    w.line(`if (s${id} !== undefined) ${q} = s${id}.positionsOf(${w.operand(second.wanted)});`);
    w.line('}');
  }
  if (groups !== undefined) {
    // Equal values that are not all scalars may print differently.
    w.line(`if (${p}.groups !== undefined && ${q}.length >= ${minIndexed} && !x.evaluation.reportsFailures) {`);
    const found = `${indexesOf(lasting, w)}, ${q}, ${o}, P[${groups.path}], ${readerFunction(groups.path, w)}`;
    w.line(`const s${id} = ${w.use('narrowedGroups')}(${found});`);
    w.line(`if (s${id} !== undefined) { ${withoutRounds(groups, w)}${q} = s${id}; }`);
    w.line('}');
  }
  w.line('} }');
}

/** Where groups are visited, rounds need not be compared. */
const withoutRounds = ({ rounds }: ScanGroups, w: CodeWriter) =>
  rounds === undefined ? '' : `${w.register(rounds)} = undefined; `;

/** Narrows a scan to the first element of each value at a path. */
function writeGroups(groups: ScanGroups, id: number, w: CodeWriter): void {
  const { path, lasting } = groups;
  const [q, o, p] = [`q${id}`, `o${id}`, `p${id}`];
  w.line(`if (${o} === undefined && ${q}.length >= ${minIndexed} && !x.evaluation.reportsFailures) {`);
  w.line(`const ${p} = ${indexesOf(lasting, w)}.groups(${q}, P[${path}], ${readerFunction(path, w)});`);
  w.line(`if (${p} !== undefined) {`);
  w.line(`${withoutRounds(groups, w)}m${id} = true; ${o} = ${q}; ${q} = ${p};`);
  w.line('} }');
}

/**
 * Before a loop whose rounds are compared. Most arrays are short: they take no call. No two members
 * of a set are the same.
 */
export function writeNewRounds({ target, source, paths }: LoweredOf<'newRounds'>, w: CodeWriter): void {
  const scanned = w.register(source);
  const isShort = `Array.isArray(${scanned}) && ${scanned}.length < ${minRounds}`;
  const isWhole = (w.constantValue(paths) as readonly (readonly string[])[]).some((path) => path.length === 0);
  const isSet = isWhole ? ` || ${scanned} instanceof ${w.use('RegoSet')}` : '';
  w.line(
    `${w.register(target)} = ${isShort}${isSet} ? undefined : ${w.use('newRounds')}(${scanned}, ${w.constant(paths)}, x.evaluation);`,
  );
}

/** Cuts a round short that repeats an earlier one. */
export function writeDistinctRound({ rounds, element, paths }: LoweredOf<'distinctRound'>, w: CodeWriter): void {
  const list = w.constantValue(paths) as readonly (readonly string[])[];
  const values = list.map((path) => `${readerFunction(path, w)}(${w.register(element)})`);
  const register = w.register(rounds);
  const all = values.join(', ');
  const isRepeated = values.length === 1 ? `isRepeated(${all})` : `isPairRepeated(${all})`;
  w.cutIf([`${register} !== undefined && ${register}.compares && ${register}.${isRepeated}`]);
}

/**
 * The name of the function for a path. Each path of a text has its own, so that V8 sees few kinds
 * of objects in it.
 */
function readerFunction(path: number | readonly string[], w: CodeWriter): string {
  const keys = typeof path === 'number' ? w.path(path) : path;
  const looked = w.apart(() =>
    keys.map((key) => `if (${missingField('v', key, w).join(' || ')}) return undefined; v = t;`),
  );
  return w.reader(`(v) => { let t; ${looked.join(' ')} return v; }`);
}
