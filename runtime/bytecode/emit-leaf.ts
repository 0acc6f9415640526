import type { LoweredOf, LoweredStmt } from '../lowering/lowered.js';
import type { CodeBuilder, Label } from './code-builder.js';
import { Op, type Opcode } from './opcodes.js';

/** The kinds that hold blocks or leave them: `emit.ts` has these. */
type Structural = LoweredOf<'moveOnce' | 'break' | 'endLoop' | 'return' | 'blocks' | 'not' | 'with' | 'scan'>;

/** The instruction of a statement without blocks. */
export function emitLeaf(stmt: Exclude<LoweredStmt, Structural>, code: CodeBuilder, cutShort: Label): void {
  const emit = (op: Opcode, ...fields: number[]) => code.emit(op, stmt.origin, ...fields);
  switch (stmt.kind) {
    case 'move':
      return emit(Op.Move, stmt.target, stmt.source);
    case 'raise':
      return emit(Op.Raise, stmt.text);
    case 'reset':
      return emit(Op.Reset, stmt.target);
    case 'makeArray':
      return emit(Op.MakeArray, stmt.target);
    case 'makeObject':
      return emit(stmt.anyKeys ? Op.MakeAnyObject : Op.MakeObject, stmt.target);
    case 'makeSet':
      return emit(Op.MakeSet, stmt.target);
    case 'arrayAppend':
      return emit(Op.ArrayAppend, stmt.array, stmt.value, cutShort);
    case 'setAdd':
      return emit(Op.SetAdd, stmt.set, stmt.value, cutShort);
    case 'objectInsert':
      return emit(stmt.once ? Op.ObjectInsertOnce : Op.ObjectInsert, stmt.object, stmt.key, stmt.value, cutShort);
    case 'objectMerge':
      return emit(Op.ObjectMerge, stmt.target, stmt.a, stmt.b, cutShort);
    case 'newRounds':
      return emit(Op.NewRounds, stmt.target, stmt.source, stmt.paths);
    case 'distinctRound':
      return emit(Op.DistinctRound, stmt.rounds, stmt.element, stmt.paths, cutShort);
    case 'track':
      return emit(Op.Track, stmt.tracker, stmt.made, stmt.anyKeys ? 1 : 0);
    case 'escape':
      return emit(Op.Escape, stmt.tracker, stmt.value);
    case 'copyIfEscaped':
      return emit(Op.CopyIfEscaped, stmt.tracker, stmt.changed, stmt.anyKeys ? 1 : 0);
    case 'dot':
      return emit(stmt.isBase ? Op.DotBase : Op.Dot, stmt.target, stmt.source, stmt.key, cutShort);
    case 'dotConst':
      return emit(Op.DotConst, stmt.target, stmt.source, stmt.key, cutShort);
    case 'dotAhead':
      return emit(Op.DotAhead, stmt.target, stmt.source, stmt.key);
    case 'equal':
      return emit(Op.Equal, stmt.a, stmt.b, cutShort);
    case 'notEqual':
      return emit(Op.NotEqual, stmt.a, stmt.b, cutShort);
    case 'equalConst':
      return emit(Op.EqualConst, stmt.a, stmt.b, cutShort);
    case 'notEqualConst':
      return emit(Op.NotEqualConst, stmt.a, stmt.b, cutShort);
    case 'isArray':
      return emit(Op.IsArray, stmt.source, cutShort);
    case 'isObject':
      return emit(Op.IsObject, stmt.source, cutShort);
    case 'isSet':
      return emit(Op.IsSet, stmt.source, cutShort);
    case 'isDefined':
      return emit(Op.IsDefined, stmt.source, cutShort);
    case 'isUndefined':
      return emit(Op.IsUndefined, stmt.source, cutShort);
    case 'len':
      return emit(Op.Len, stmt.target, stmt.source, cutShort);
    case 'call':
      return emit(Op.Call, stmt.func, stmt.result, cutShort, stmt.args.length, ...stmt.args);
    case 'callDynamic':
      return emit(
        Op.CallDynamic,
        stmt.result,
        cutShort,
        stmt.path.length,
        ...stmt.path,
        stmt.args.length,
        ...stmt.args,
      );
    case 'builtin': {
      const { builtin, result, args } = stmt;
      if (args.length === 1) return emit(Op.Builtin1, builtin, result, cutShort, ...args);
      if (args.length === 2) return emit(Op.Builtin2, builtin, result, cutShort, ...args);
      return emit(Op.Builtin, builtin, result, cutShort, args.length, ...args);
    }
    case 'compare':
      return emit(Op.Compare, stmt.result, stmt.relation, stmt.a, stmt.b, cutShort);
    case 'compareTest':
      return emit(Op.CompareTest, stmt.relation, stmt.a, stmt.b, cutShort);
    case 'member':
      return emit(Op.Member, stmt.element, stmt.collection, cutShort, stmt.lasting ? 1 : 0);
    case 'arithmetic':
      return emit(Op.Arithmetic, stmt.builtin, stmt.result, cutShort, stmt.operator, stmt.a, stmt.b);
    case 'resultAdd':
      return emit(Op.ResultAdd, stmt.value, cutShort);
  }
}
