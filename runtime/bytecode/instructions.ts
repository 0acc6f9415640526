/**
 * The instruction table. An instruction is its opcode and its fields, integers that follow each
 * other in `Program.code`.
 *
 * Kinds of field: `in` a register of the frame that is read, `out` one that is written, `both` one
 * that is read and written; `iter` the first of the three registers of a loop, or of the two of a
 * dispatch; `op` an operand that is read, a register if not negative, else constant `-1 - op`; `pc`
 * where to go on; `fn`, `builtin`, `const`, `path`, `table` an index into the program's list of
 * these; `flag` a number with a meaning of the instruction's own; `ops` a count and that many
 * operands.
 *
 * An instruction goes on at the next one, or at its `pc` where an operand is undefined or its
 * effect is not so: an operand of another type, a comparison that is false. Counting work may end
 * the evaluation in each instruction. `docs/internals/instructions.md` tells the effects.
 */
import { Op, type Opcode } from './opcodes.js';

// biome-ignore format: in groups
export type InstructionFieldKind =
  | 'in' | 'out' | 'both' | 'iter'
  | 'op' | 'ops' | 'pc' | 'flag'
  | 'fn' | 'builtin' | 'const' | 'path' | 'table';

interface Instruction {
  readonly name: string;
  readonly fields: readonly (readonly [name: string, kind: InstructionFieldKind])[];
}

// biome-ignore format: a table
export const instructions: { readonly [op in Opcode]: Instruction } = {
  [Op.Jump]: { name: 'jump', fields: [['to', 'pc']] },
  [Op.EndLoop]: { name: 'end_loop', fields: [['to', 'pc']] },
  [Op.Move]: { name: 'move', fields: [['target', 'out'], ['source', 'op']] },
  [Op.MoveOnce]: { name: 'move_once', fields: [['target', 'both'], ['source', 'op']] },
  [Op.Raise]: { name: 'raise', fields: [['text', 'const']] },
  [Op.Reset]: { name: 'reset', fields: [['target', 'out']] },
  [Op.Dot]: { name: 'dot', fields: [['target', 'out'], ['source', 'op'], ['key', 'op'], ['undefined', 'pc']] },
  [Op.DotBase]: { name: 'dot_base',
    fields: [['target', 'out'], ['source', 'op'], ['key', 'op'], ['undefined', 'pc']] },
  [Op.DotConst]: { name: 'dot_const',
    fields: [['target', 'out'], ['source', 'op'], ['key', 'const'], ['undefined', 'pc']] },
  [Op.Equal]: { name: 'equal', fields: [['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.EqualConst]: { name: 'equal_const', fields: [['a', 'in'], ['b', 'const'], ['undefined', 'pc']] },
  [Op.NotEqual]: { name: 'not_equal', fields: [['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.NotEqualConst]: { name: 'not_equal_const', fields: [['a', 'in'], ['b', 'const'], ['undefined', 'pc']] },
  [Op.IsDefined]: { name: 'is_defined', fields: [['source', 'in'], ['undefined', 'pc']] },
  [Op.IsUndefined]: { name: 'is_undefined', fields: [['source', 'in'], ['undefined', 'pc']] },
  [Op.IsArray]: { name: 'is_array', fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.IsObject]: { name: 'is_object', fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.IsSet]: { name: 'is_set', fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.Len]: { name: 'len', fields: [['target', 'out'], ['source', 'op'], ['undefined', 'pc']] },
  [Op.MakeArray]: { name: 'make_array', fields: [['target', 'out']] },
  [Op.MakeObject]: { name: 'make_object', fields: [['target', 'out']] },
  [Op.MakeAnyObject]: { name: 'make_any_object', fields: [['target', 'out']] },
  [Op.MakeSet]: { name: 'make_set', fields: [['target', 'out']] },
  [Op.ArrayAppend]: { name: 'array_append', fields: [['array', 'in'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.SetAdd]: { name: 'set_add', fields: [['set', 'in'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectInsert]: { name: 'object_insert',
    fields: [['object', 'both'], ['key', 'op'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectInsertOnce]: { name: 'object_insert_once',
    fields: [['object', 'both'], ['key', 'op'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectMerge]: { name: 'object_merge',
    fields: [['target', 'out'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  // A scan has three registers from `iterator` on: the sequence, the next position, and the
  // source of values. Flag 1: its rounds may make the array longer, so a copy is walked.
  [Op.ScanStart]: { name: 'scan_start',
    fields: [['iterator', 'iter'], ['source', 'op'], ['undefined', 'pc'], ['flags', 'flag']] },
  // The register is false once members of a set come in any order, and true where they must not.
  [Op.ScanFree]: { name: 'scan_free',
    fields: [['iterator', 'iter'], ['source', 'op'], ['undefined', 'pc'], ['ordered', 'both']] },
  // Flags 0, 1, 2: order matters for all but texts, booleans and null, for collections and exact
  // numbers, or for all but whole numbers. 4: the array is emptied before the loop starts again,
  // which the next instruction does.
  [Op.InOrder]: { name: 'in_order',
    fields: [['ordered', 'both'], ['value', 'op'], ['flags', 'flag'], ['array', 'in'], ['next', 'pc']] },
  [Op.ScanNext]: { name: 'scan_next',
    fields: [['iterator', 'iter'], ['key', 'out'], ['value', 'out'], ['end', 'pc'], ['weight', 'flag']] },
  // For a scan just started: finds the index of its array by the value at a path. Flag 1: the array
  // is part of the data, so that the index outlasts the evaluation; 2: later instructions
  // call built-ins, whose errors may be reported; 4: the path is that in members of the collections
  // at `above`; 8: errors of these end the evaluation where they are strict; 16: an object has an
  // index too, as sets have. Then narrows the scan to the elements that have the wanted value, or
  // one of its members (flag 1); the others would fail anyway. These may be narrowed further by the
  // value at another path.
  [Op.ScanIndex]: { name: 'scan_index',
    fields: [['iterator', 'iter'], ['path', 'path'], ['above', 'path'], ['flags', 'flag'], ['found', 'out'], ['none', 'pc']] },
  [Op.ScanIndexed]: { name: 'scan_indexed',
    fields: [['iterator', 'iter'], ['found', 'in'], ['wanted', 'op'], ['flags', 'flag']] },
  [Op.ScanNarrow]: { name: 'scan_narrow',
    fields: [['iterator', 'iter'], ['path', 'path'], ['flags', 'flag'], ['wanted', 'op']] },
  // Goes on elsewhere if the first element of an array has no value at one of the paths.
  [Op.ScanReaches]: { name: 'scan_reaches', fields: [['iterator', 'iter'], ['paths', 'const'], ['none', 'pc']] },
  // Narrows a scan just started to the first element of each value at a path, where all
  // values are scalars. Flag 1: as above.
  [Op.ScanGroups]: { name: 'scan_groups', fields: [['iterator', 'iter'], ['path', 'path'], ['flags', 'flag']] },
  // Narrows in that way a scan that an index has narrowed to the elements with one value.
  [Op.ScanFoundGroups]: { name: 'scan_found_groups',
    fields: [['iterator', 'iter'], ['found', 'in'], ['path', 'path'], ['flags', 'flag']] },
  // Leaves out rounds of a loop that have the same values at some paths as an earlier round.
  [Op.NewRounds]: { name: 'new_rounds', fields: [['target', 'out'], ['source', 'in'], ['paths', 'const']] },
  [Op.DistinctRound]: { name: 'distinct_round',
    fields: [['rounds', 'in'], ['element', 'in'], ['paths', 'const'], ['repeated', 'pc']] },
  [Op.WithPush]: { name: 'with_push', fields: [['local', 'both'], ['path', 'path'], ['value', 'op']] },
  [Op.WithPop]: { name: 'with_pop', fields: [] },
  [Op.Call]: { name: 'call', fields: [['function', 'fn'], ['result', 'out'], ['undefined', 'pc'], ['args', 'ops']] },
  [Op.CallDynamic]: { name: 'call_dynamic',
    fields: [['result', 'out'], ['undefined', 'pc'], ['path', 'ops'], ['args', 'ops']] },
  [Op.Builtin]: { name: 'builtin',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['args', 'ops']] },
  [Op.Builtin1]: { name: 'builtin_1',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['a', 'op']] },
  [Op.Builtin2]: { name: 'builtin_2',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['a', 'op'], ['b', 'op']] },
  // Comparisons: flag 0 `<`, 1 `<=`, 2 `>`, 3 `>=`, 4 `==`, 5 `!=`; `compare_test` is undefined
  // where the comparison is false.
  [Op.Compare]: { name: 'compare',
    fields: [['result', 'out'], ['relation', 'flag'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.CompareTest]: { name: 'compare_test',
    fields: [['relation', 'flag'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  // Arithmetic: flag 0 `+`, 1 `-`, 2 `*`; the built-in computes what `quickResult` does not.
  [Op.Arithmetic]: { name: 'arithmetic',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['operator', 'flag'], ['a', 'op'], ['b', 'op']] },
  [Op.Return]: { name: 'return', fields: [['source', 'in']] },
  [Op.ResultAdd]: { name: 'result_add', fields: [['value', 'in'], ['undefined', 'pc']] },
  [Op.End]: { name: 'end', fields: [] },
  // Rules that differ in a constant: `dispatch` finds the entries of those whose constant equals
  // the value, `dispatch_next` goes to the next of them.
  [Op.Dispatch]: { name: 'dispatch',
    fields: [['iterator', 'iter'], ['value', 'op'], ['table', 'table'], ['none', 'pc']] },
  [Op.DispatchNext]: { name: 'dispatch_next', fields: [['iterator', 'iter'], ['end', 'pc']] },
  // A look-up before the loop that needs it: undefined is no failure yet.
  [Op.DotAhead]: { name: 'dot_ahead', fields: [['target', 'out'], ['source', 'in'], ['key', 'const']] },
  // In functions that may mutate an escaped value (see `lowering/facts/escape-analysis.ts`): the
  // register `tracker` holds the values that the function made and that have not escaped. Flag 1:
  // an object of any keys is needed.
  [Op.TrackStart]: { name: 'track_start', fields: [['tracker', 'out']] },
  [Op.Track]: { name: 'track', fields: [['tracker', 'in'], ['made', 'both'], ['any', 'flag']] },
  [Op.Escape]: { name: 'escape', fields: [['tracker', 'in'], ['value', 'in']] },
  [Op.CopyIfEscaped]: { name: 'copy_if_escaped', fields: [['tracker', 'in'], ['changed', 'both'], ['any', 'flag']] },
  // Flag 1: the collection is part of the data.
  [Op.Member]: { name: 'member', fields: [['element', 'op'], ['collection', 'op'], ['undefined', 'pc'], ['flags', 'flag']] },
};
