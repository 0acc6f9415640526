/** The JavaScript of statements without blocks. */
import type { Index, LoweredOf, LoweredOperand, LoweredStmt, Register } from '../lowering/lowered.js';
import { builtinText } from './inline/builtin-texts.js';
import { missingField } from './inline/fields.js';
import { literalCallText, writeElement } from './inline/literal-text.js';
import { writeSplit } from './inline/split-text.js';
import { writeWalk } from './inline/walk-text.js';
import { writeFused } from './loops/fused.js';
import { writeDistinctRound, writeInOrder, writeNewRounds } from './loops/scans.js';
import { writeOwnCall, writeOwnRule } from './memory/own-results.js';
import type { CodeWriter } from './writer.js';

/** The kinds that hold blocks or leave them: `blocks.ts` has these. */
type Structural = LoweredOf<'moveOnce' | 'break' | 'endLoop' | 'return' | 'blocks' | 'not' | 'with' | 'scan'>;

type Leaf = Exclude<LoweredStmt, Structural>;

/** Kinds that throw no error and do no work that is counted. */
const quiet: ReadonlySet<LoweredStmt['kind']> = new Set([
  'move',
  'reset',
  'makeArray',
  'makeObject',
  'makeSet',
  'equalConst',
  'notEqualConst',
  'isArray',
  'isObject',
  'isSet',
  'isDefined',
  'isUndefined',
  'resultAdd',
  'newRounds',
  'distinctRound',
  'inOrder',
  'track',
  'escape',
]);

export function writeLeaf(stmt: Leaf, w: CodeWriter): void {
  if (writeFused(stmt, failure(w), w) || writeSplit(stmt, failure(w), w) || writeWalk(stmt, failure(w), w)) return;
  if (!quiet.has(stmt.kind)) w.at(stmt.origin);
  switch (stmt.kind) {
    case 'move':
      return w.line(`${w.register(stmt.target)} = ${w.operand(stmt.source)};`);
    case 'raise':
      return w.line(`throw ${w.use('raised')}(${w.constant(stmt.text)});`);
    case 'reset':
      return w.line(`${w.register(stmt.target)} = undefined;`);
    case 'makeArray':
      if (w.literals.of(stmt) !== undefined) return;
      return w.line(`${w.register(stmt.target)} = [];`);
    case 'makeObject': {
      if (w.entries?.has(stmt) === true) return startEntries(stmt.target, w);
      return w.line(`${w.register(stmt.target)} = ${stmt.anyKeys ? `new ${w.use('RegoObject')}()` : '{}'};`);
    }
    case 'makeSet':
      return w.line(`${w.register(stmt.target)} = new ${w.use('RegoSet')}();`);
    case 'equalConst':
      return w.cutIf([`${w.register(stmt.a)} !== ${w.constant(stmt.b)}`]);
    case 'notEqualConst':
      return w.cutIf([...w.undefinedOf(stmt.a), `${w.register(stmt.a)} === ${w.constant(stmt.b)}`]);
    case 'isArray':
      return w.cutIf(isNot('array', stmt.source, w));
    case 'isObject':
      return w.cutIf(isNot('object', stmt.source, w));
    case 'isSet':
      return w.cutIf(isNot('set', stmt.source, w));
    case 'isDefined':
      return w.cutIf(w.undefinedOf(stmt.source));
    case 'isUndefined':
      return w.cutIf([`${w.register(stmt.source)} !== undefined`]);
    case 'resultAdd':
      w.cutIf(w.undefinedOf(stmt.value));
      return w.line(`x.results.push(${w.register(stmt.value)});`);
    case 'inOrder':
      return writeInOrder(stmt, w);
    case 'newRounds':
      return writeNewRounds(stmt, w);
    case 'distinctRound':
      return writeDistinctRound(stmt, w);
    case 'track':
      return w.line(
        `${w.register(stmt.made)} = ${w.use('track')}(${w.register(stmt.tracker)}, ${w.register(stmt.made)}, ${stmt.anyKeys});`,
      );
    case 'escape':
      return w.line(`${w.use('markEscaped')}(${w.register(stmt.tracker)}, ${w.register(stmt.value)});`);
    case 'copyIfEscaped': {
      const changed = w.register(stmt.changed);
      return w.line(
        `${changed} = ${w.use('copyIfEscaped')}(${w.register(stmt.tracker)}, ${changed}, ${stmt.anyKeys}, x.meter);`,
      );
    }
    case 'arrayAppend':
    case 'setAdd':
    case 'objectInsert':
    case 'objectMerge':
      return writeMutation(stmt, w);
    case 'dot':
    case 'dotConst':
    case 'dotAhead':
    case 'len':
    case 'equal':
    case 'notEqual':
    case 'member':
      return writeQuestion(stmt, w);
    default:
      return writeCall(stmt, w);
  }
}

function writeMutation(
  stmt: LoweredOf<'arrayAppend' | 'setAdd' | 'objectInsert' | 'objectMerge'>,
  w: CodeWriter,
): void {
  switch (stmt.kind) {
    case 'arrayAppend': {
      if (writeElement(stmt, w)) return;
      const array = w.register(stmt.array);
      w.cutIf([...w.undefinedOf(stmt.value), ...isNot('array', stmt.array, w)]);
      w.line(`${w.use('checkElements')}(${array}.length + 1);`);
      return w.line(`${array}.push(${w.operand(stmt.value)});`);
    }
    case 'setAdd':
      w.cutIf([...w.undefinedOf(stmt.value), ...isNot('set', stmt.set, w)]);
      return w.line(`${w.callee(w.register(stmt.set))}.add(${w.operand(stmt.value)});`);
    case 'objectInsert': {
      const object = w.register(stmt.object);
      const entry = `${object}, ${w.operand(stmt.key)}, ${w.operand(stmt.value)}`;
      const key = stmt.key < 0 ? w.constantValue(-1 - stmt.key) : undefined;
      if (w.fresh.takes(stmt, key)) {
        w.cutIf(w.undefinedOf(stmt.value));
        return w.line(`${object}[${JSON.stringify(key)}] = ${w.operand(stmt.value)};`);
      }
      w.cutIf([...w.undefinedOf(stmt.key, stmt.value), ...isNot('object', stmt.object, w)]);
      if (w.entries?.has(stmt) === true) {
        const { size, last } = namesOfEntries(stmt.object, w);
        return w.line(
          `${object} = ${w.use('insertEntry')}(${entry}, ${size}++, ${last}); ${last} = ${w.operand(stmt.key)};`,
        );
      }
      if (stmt.once) w.line(`${w.use('checkUnique')}(${entry});`);
      return w.line(`${object} = ${w.use('insert')}(${entry});`);
    }
    case 'objectMerge': {
      const [a, b] = [w.register(stmt.a), w.register(stmt.b)];
      w.cutIf([...isNot('object', stmt.a, w), ...isNot('object', stmt.b, w)]);
      return w.line(`${w.register(stmt.target)} = ${w.use('merge')}(${a}, ${b});`);
    }
  }
}

/** The variables of an object that is plain at first. */
function namesOfEntries(object: Register, w: CodeWriter): { readonly size: string; readonly last: string } {
  const number = w.number(object);
  return { size: `n${number}`, last: `y${number}` };
}

function startEntries(object: Register, w: CodeWriter): void {
  const { size, last } = namesOfEntries(object, w);
  w.declare(size, last);
  w.line(`${w.register(object)} = {}; ${size} = 0;`);
}

/**
 * A look-up in base documents, which do not change. In a loop, the last one is kept: an outer loop
 * often has the key, and to find it in a large object takes twenty times as long. Rules in the
 * place of their calls keep one together: they often look up one object.
 */
function basePartText({ source, key }: LoweredOf<'dot'>, w: CodeWriter): string {
  const [from, at] = [w.operand(source), w.operand(key)];
  const baseAt = w.use('baseAt');
  if (w.loops < 2 && w.label === undefined) return `${baseAt}(${from}, ${at})`;
  const id = w.lookup();
  w.declare(`js${id}`, `jk${id}`, `jv${id}`);
  return `(js${id} === ${from} && jk${id} === ${at} ? jv${id} : (jv${id} = ${baseAt}(js${id} = ${from}, jk${id} = ${at})))`;
}

function writeQuestion(
  stmt: LoweredOf<'dot' | 'dotConst' | 'dotAhead' | 'len' | 'equal' | 'notEqual' | 'member'>,
  w: CodeWriter,
): void {
  switch (stmt.kind) {
    case 'dot': {
      const part = stmt.isBase ? basePartText(stmt, w) : partText(stmt.source, stmt.key, w);
      const found = `(t = ${part}) === undefined`;
      w.cutIf([...w.undefinedOf(stmt.source, stmt.key), found]);
      return w.line(`${w.register(stmt.target)} = t;`);
    }
    case 'dotConst':
      return writeField(w.operand(stmt.source), stmt.key, stmt.target, w);
    case 'dotAhead': {
      const missing = missingField(w.register(stmt.source), w.constantValue(stmt.key) as string, w);
      return w.line(`${w.register(stmt.target)} = ${missing.join(' || ')} ? undefined : t;`);
    }
    case 'len':
      if (w.kind(stmt.source) === 'array')
        return w.line(`${w.register(stmt.target)} = ${w.operand(stmt.source)}.length;`);
      w.cutIf([`(t = ${w.use('lengthOf')}(${w.operand(stmt.source)})) === undefined`]);
      return w.line(`${w.register(stmt.target)} = t;`);
    case 'equal': {
      const [a, b] = [w.operand(stmt.a), w.operand(stmt.b)];
      if (w.kind(stmt.a) === 'number' && w.kind(stmt.b) === 'number') return w.cutIf([`${a} !== ${b}`]);
      return w.cutIf([
        ...w.undefinedOf(stmt.a, stmt.b),
        `(${a} !== ${b} && (typeof ${a} === "string" || !${w.use('equal')}(${a}, ${b})))`,
      ]);
    }
    case 'notEqual':
      return w.cutIf([...w.undefinedOf(stmt.a, stmt.b), same(stmt.a, stmt.b, w)]);
    case 'member': {
      const [element, collection] = [w.operand(stmt.element), w.operand(stmt.collection)];
      const asked = `${w.use('isMemberIn')}(${element}, ${collection}, x, ${stmt.lasting})`;
      const answer = w.answerOf(stmt);
      // Texts are found in sets without work that is counted.
      const isText = `typeof ${element} === "string" && ${collection} instanceof ${w.use('RegoSet')}`;
      const isMember =
        answer === undefined
          ? asked
          : `(${answer} ?? (${isText} ? ${answer} = ${collection}.has(${element}) : ${asked}))`;
      return w.cutIf([...w.undefinedOf(stmt.element, stmt.collection), `!${isMember}`]);
    }
  }
}

/** The value at a key; an index into an array is read in place. */
function partText(source: LoweredOperand, key: LoweredOperand, w: CodeWriter): string {
  const [from, at] = [w.operand(source), w.operand(key)];
  const isIndex = key < 0 && typeof w.constantValue(-1 - key) === 'number';
  if (isIndex && w.kind(source) === 'array') return `${from}[${at}]`;
  const general = `${w.use('valueAt')}(${from}, ${at})`;
  return isIndex ? `Array.isArray(${from}) ? ${from}[${at}] : ${general}` : general;
}

const typeTests = {
  array: (text: string) => `!Array.isArray(${text})`,
  set: (text: string, w: CodeWriter) => `!(${text} instanceof ${w.use('RegoSet')})`,
  object: (text: string, w: CodeWriter) => `!${w.use('isObject')}(${text})`,
};

/** A condition: an operand is not of a type. Empty where it is known to be. */
function isNot(kind: keyof typeof typeTests, operand: LoweredOperand, w: CodeWriter): readonly string[] {
  if (w.kind(operand) === kind) return [];
  const mayBeUndefined = kind === 'object' ? w.undefinedOf(operand) : [];
  return [...mayBeUndefined, typeTests[kind](w.operand(operand), w)];
}

/** The value at a constant key. */
export function writeField(source: string, key: Index, target: number, w: CodeWriter): void {
  w.cutIf(missingField(source, w.constantValue(key) as string, w));
  w.line(`${w.register(target)} = t;`);
}

function writeCall(
  stmt: LoweredOf<'call' | 'callDynamic' | 'builtin' | 'compare' | 'compareTest' | 'arithmetic'>,
  w: CodeWriter,
): void {
  switch (stmt.kind) {
    case 'call': {
      const isOfDocuments = w.keepsDocuments && stmt.args[0] === 0 && stmt.args[1] === 1;
      const inPlace = isOfDocuments ? w.calleeText(stmt) : undefined;
      if (inPlace !== undefined && (stmt.args.length === 2 || !w.remembers(stmt.func))) {
        w.line(inPlace);
        w.joined();
        w.cutIf(['t === undefined']);
      } else if (w.remembers(stmt.func)) {
        if (stmt.args.length === 2) writeOwnRule(stmt, functionCall(stmt, w), w);
        else writeOwnCall(stmt, inPlace ?? `t = ${functionCall(stmt, w)};`, w);
        w.joined();
        w.cutIf(['t === undefined']);
      } else if (isOfDocuments && stmt.args.length === 2) {
        const known = `u${stmt.func}`;
        w.declare(known);
        w.cutIf([`(t = ${known}) === undefined && (t = ${known} = ${functionCall(stmt, w)}) === undefined`]);
      } else w.cutIf([`(t = ${functionCall(stmt, w)}) === undefined`]);
      return w.line(`${w.register(stmt.result)} = t;`);
    }
    case 'callDynamic': {
      writeDynamicCall(stmt, w);
      return w.line(`${w.register(stmt.result)} = t;`);
    }
    case 'builtin': {
      w.cutIf(w.undefinedOf(...stmt.args));
      w.line(literalCallText(stmt, failure(w), w) ?? builtinText(stmt.builtin, stmt.args, failure(w), w));
      return w.line(`${w.register(stmt.result)} = t;`);
    }
    case 'compare':
      w.cutIf(w.undefinedOf(stmt.a, stmt.b));
      return w.line(`${w.register(stmt.result)} = ${relation(stmt.relation, stmt.a, stmt.b, w)};`);
    case 'compareTest':
      return w.cutIf([...w.undefinedOf(stmt.a, stmt.b), `!${relation(stmt.relation, stmt.a, stmt.b, w)}`]);
    case 'arithmetic': {
      const [a, b] = [w.operand(stmt.a), w.operand(stmt.b)];
      w.cutIf(w.undefinedOf(stmt.a, stmt.b));
      w.line(`t = ${w.use('quickResult')}(${stmt.operator}, ${a}, ${b});`);
      w.line(`if (t === undefined) { ${builtinText(stmt.builtin, [stmt.a, stmt.b], failure(w), w)} }`);
      return w.line(`${w.register(stmt.result)} = t;`);
    }
  }
}

/** Looks up the rule below the constants at the start of its path, and calls it. */
function writeDynamicCall({ path, args }: LoweredOf<'callDynamic'>, w: CodeWriter): void {
  const above: string[] = [];
  for (const operand of path) {
    const key = operand < 0 ? w.constantValue(-1 - operand) : undefined;
    if (typeof key !== 'string') break;
    above.push(key);
  }
  let rule = w.rulesBelow(above);
  const conditions = path.slice(above.length).map((key) => {
    const found = `(t = ${rule}.at(${w.operand(key)})) === undefined`;
    rule = 't';
    return found;
  });
  const operands = ['x', ...args.map((operand) => w.operand(operand))];
  const result = `${rule}.constant ?? ${w.callee(rule)}.call(${operands.join(', ')})`;
  w.cutIf([...conditions, `${rule}.params !== ${args.length}`, `(t = ${result}) === undefined`]);
}

/** Cuts the block short where a built-in is undefined, and reports its error if it had one. */
function failure(w: CodeWriter): string {
  return `if (t === undefined) { if (x.evaluation.hasFailed) x.reportFailure(at); ${w.cut()} }`;
}

function functionCall({ func, args }: LoweredOf<'call'>, w: CodeWriter): string {
  w.functions.add(func);
  const operands = ['x', ...args.map((arg) => w.operand(arg))];
  return `${w.callee(`(g${func} ??= F.at(${func}))`)}(${operands.join(', ')})`;
}

/** Kinds of values that equal nothing but themselves. */
const identical: ReadonlySet<string | undefined> = new Set(['string', 'boolean', 'null']);

/** Whether two operands are equal. Exact numbers are objects, and may equal doubles. */
function same(left: LoweredOperand, right: LoweredOperand, w: CodeWriter): string {
  const [a, b] = [w.operand(left), w.operand(right)];
  if (identical.has(w.kind(left)) || identical.has(w.kind(right))) return `(${a} === ${b})`;
  const objects = [left, right]
    .filter((operand) => w.kind(operand) !== 'number')
    .map((operand) => `typeof ${w.operand(operand)} === "object"`);
  return objects.length === 0
    ? `(${a} === ${b})`
    : `(${a} === ${b} || ((${objects.join(' || ')}) && ${w.use('equal')}(${a}, ${b})))`;
}

const relationTexts = ['<', '<=', '>', '>='];

function relation(number: number, left: LoweredOperand, right: LoweredOperand, w: CodeWriter): string {
  const [a, b] = [w.operand(left), w.operand(right)];
  if (number >= 4) return number === 4 ? same(left, right, w) : `!${same(left, right, w)}`;
  const numbers = [left, right]
    .filter((operand) => w.kind(operand) !== 'number')
    .map((operand) => `typeof ${w.operand(operand)} === "number"`);
  const both = `${a} ${relationTexts[number]!} ${b}`;
  return numbers.length === 0
    ? `(${both})`
    : `(${numbers.join(' && ')} ? ${both} : ${w.use('relates')}(${number}, ${a}, ${b}))`;
}
