/** The kinds of registers behind statements. */
import type { LoweredOperand, LoweredStmt } from '../../lowering/lowered.js';
import { writtenBy } from '../../lowering/register-uses.js';
import type { CodeWriter } from '../writer.js';
import type { Kind } from './known.js';

/** Called behind the text of a statement: it was not cut short. */
export function learnFrom(stmt: LoweredStmt, w: CodeWriter): void {
  const { known } = w;
  const defined = (...operands: readonly LoweredOperand[]) => {
    for (const operand of operands) if (operand >= 0) known.learn(operand, 'value');
  };
  switch (stmt.kind) {
    case 'move':
      return known.write(stmt.target, w.kind(stmt.source));
    case 'moveOnce': {
      const kind = w.kind(stmt.source);
      const isFirst = known.of(stmt.target) === 'undefined';
      return known.write(
        stmt.target,
        isFirst ? kind : kind !== undefined && kind !== 'undefined' ? 'value' : undefined,
      );
    }
    case 'reset':
      return known.write(stmt.target, 'undefined');
    case 'makeArray':
      return known.write(stmt.target, 'array');
    case 'makeObject':
      return known.write(stmt.target, 'object');
    case 'makeSet':
      return known.write(stmt.target, 'set');
    case 'isArray':
      return stmt.source >= 0 ? known.learn(stmt.source, 'array') : undefined;
    case 'isObject':
      return stmt.source >= 0 ? known.learn(stmt.source, 'object') : undefined;
    case 'isSet':
      return stmt.source >= 0 ? known.learn(stmt.source, 'set') : undefined;
    case 'isDefined':
      return defined(stmt.source);
    case 'isUndefined':
      return known.learn(stmt.source, 'undefined');
    case 'equalConst':
      return known.learn(stmt.a, w.kind(-1 - stmt.b) ?? 'value');
    case 'notEqualConst':
      return defined(stmt.a);
    case 'arrayAppend':
      known.learn(stmt.array, 'array');
      return defined(stmt.value);
    case 'setAdd':
      known.learn(stmt.set, 'set');
      return defined(stmt.value);
    case 'objectInsert':
      known.learn(stmt.object, 'object');
      return defined(stmt.key, stmt.value);
    case 'objectMerge':
      known.learn(stmt.a, 'object');
      known.learn(stmt.b, 'object');
      return known.write(stmt.target, 'object');
    case 'dot':
      defined(stmt.source, stmt.key);
      return known.write(stmt.target, w.lazy.has(stmt.target) ? 'array' : 'value');
    case 'dotConst':
      defined(stmt.source);
      return known.write(stmt.target, 'value');
    case 'len':
      defined(stmt.source);
      return known.write(stmt.target, 'number');
    case 'equal':
    case 'notEqual':
    case 'compareTest':
      return defined(stmt.a, stmt.b);
    case 'member':
      return defined(stmt.element, stmt.collection);
    case 'compare':
      defined(stmt.a, stmt.b);
      return known.write(stmt.result, 'boolean');
    case 'arithmetic':
      defined(stmt.a, stmt.b);
      return known.write(stmt.result, 'value');
    case 'builtin':
      defined(...stmt.args);
      return known.write(stmt.result, resultKinds.get(w.builtinName(stmt.builtin)) ?? 'value');
    case 'call':
    case 'callDynamic':
      return known.write(stmt.result, 'value');
    case 'resultAdd':
      return defined(stmt.value);
    default: {
      const register = writtenBy(stmt);
      if (register !== undefined) known.write(register, undefined);
    }
  }
}

/** Built-ins whose results are of one type, by name. */
const resultKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['count', 'number'],
  ['contains', 'boolean'],
  ['startswith', 'boolean'],
  ['endswith', 'boolean'],
  ['regex.match', 'boolean'],
  ['glob.match', 'boolean'],
  ['internal.member_2', 'boolean'],
  ...['string', 'number', 'boolean', 'null', 'array', 'object', 'set'].map((type): [string, Kind] => [
    `is_${type}`,
    'boolean',
  ]),
  ['lower', 'string'],
  ['upper', 'string'],
  ['concat', 'string'],
  ['replace', 'string'],
  ['substring', 'string'],
  ['sprintf', 'string'],
  ['trim', 'string'],
  ['trim_left', 'string'],
  ['trim_right', 'string'],
  ['trim_prefix', 'string'],
  ['trim_suffix', 'string'],
  ['trim_space', 'string'],
  ['sort', 'array'],
  ['split', 'array'],
  ['array.concat', 'array'],
  ['array.slice', 'array'],
  ['and', 'set'],
  ['or', 'set'],
  ['union', 'set'],
]);
