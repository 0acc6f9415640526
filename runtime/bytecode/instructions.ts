/**
 * The instruction table. An instruction is its opcode and its fields, integers that follow each
 * other in `Program.code`.
 *
 * Kinds of field: `reg` a register of the frame; `op` an operand, a register if not negative,
 * else constant `-1 - op`; `pc` where to go on, most often when the instruction is undefined;
 * `fn`, `builtin`, `const`, `path`, `table` an index into the program's list of these; `flag` a
 * number with a meaning of the instruction's own; `ops` a count and that many operands.
 */
import { Op, type Opcode } from './opcodes.js';

export type FieldKind = 'reg' | 'op' | 'pc' | 'fn' | 'builtin' | 'const' | 'path' | 'table' | 'flag' | 'ops';

interface Instruction {
  readonly name: string;
  readonly fields: readonly (readonly [name: string, kind: FieldKind])[];
}

// biome-ignore format: a table
export const instructions: { readonly [op in Opcode]: Instruction } = {
  [Op.Jump]:            { name: 'jump',            fields: [['to', 'pc']] },
  [Op.EndLoop]:         { name: 'end_loop',        fields: [['to', 'pc']] },
  [Op.Move]:            { name: 'move',            fields: [['target', 'reg'], ['source', 'op']] },
  [Op.MoveOnce]:        { name: 'move_once',       fields: [['target', 'reg'], ['source', 'op']] },
  [Op.Raise]:           { name: 'raise',           fields: [['text', 'const']] },
  [Op.Reset]:           { name: 'reset',           fields: [['target', 'reg']] },
  [Op.Dot]:             { name: 'dot',             fields: [['target', 'reg'], ['source', 'op'], ['key', 'op'], ['undefined', 'pc']] },
  [Op.DotBase]:         { name: 'dot_base',        fields: [['target', 'reg'], ['source', 'op'], ['key', 'op'], ['undefined', 'pc']] },
  [Op.DotConst]:        { name: 'dot_const',       fields: [['target', 'reg'], ['source', 'op'], ['key', 'const'], ['undefined', 'pc']] },
  [Op.Equal]:           { name: 'equal',           fields: [['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.EqualConst]:      { name: 'equal_const',     fields: [['a', 'reg'], ['b', 'const'], ['undefined', 'pc']] },
  [Op.NotEqual]:        { name: 'not_equal',       fields: [['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.NotEqualConst]:   { name: 'not_equal_const', fields: [['a', 'reg'], ['b', 'const'], ['undefined', 'pc']] },
  [Op.IsDefined]:       { name: 'is_defined',      fields: [['source', 'reg'], ['undefined', 'pc']] },
  [Op.IsUndefined]:     { name: 'is_undefined',    fields: [['source', 'reg'], ['undefined', 'pc']] },
  [Op.IsArray]:         { name: 'is_array',        fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.IsObject]:        { name: 'is_object',       fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.IsSet]:           { name: 'is_set',          fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.Len]:             { name: 'len',             fields: [['target', 'reg'], ['source', 'op'], ['undefined', 'pc']] },
  [Op.MakeArray]:       { name: 'make_array',      fields: [['target', 'reg']] },
  [Op.MakeObject]:      { name: 'make_object',     fields: [['target', 'reg']] },
  [Op.MakeAnyObject]:   { name: 'make_any_object', fields: [['target', 'reg']] },
  [Op.MakeSet]:         { name: 'make_set',        fields: [['target', 'reg']] },
  [Op.ArrayAppend]:     { name: 'array_append',    fields: [['array', 'reg'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.SetAdd]:          { name: 'set_add',         fields: [['set', 'reg'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectInsert]:    { name: 'object_insert',   fields: [['object', 'reg'], ['key', 'op'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectInsertOnce]:{ name: 'object_insert_once', fields: [['object', 'reg'], ['key', 'op'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectMerge]:     { name: 'object_merge',    fields: [['target', 'reg'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  // A scan has three registers from `iterator` on: the sequence, the next position, and the
  // source of values. Flag 1: its rounds may make the array longer, so a copy is walked.
  [Op.ScanStart]:       { name: 'scan_start',      fields: [['iterator', 'reg'], ['source', 'op'], ['undefined', 'pc'], ['flags', 'flag']] },
  [Op.ScanNext]:        { name: 'scan_next',       fields: [['iterator', 'reg'], ['key', 'reg'], ['value', 'reg'], ['end', 'pc'], ['weight', 'flag']] },
  // Of a scan just started: finds the index of its array by the value at a path. Flag 1: the array
  // is part of the data, so that the index outlasts the evaluation; 2: later instructions
  // call built-ins, whose errors may be reported; 4: the path is that in members of the collections
  // at `above`. Then narrows the scan to the elements that have the wanted value; the others would
  // fail anyway. These may be narrowed further by the value at another path.
  [Op.ScanIndex]:       { name: 'scan_index',      fields: [['iterator', 'reg'], ['path', 'path'], ['above', 'path'], ['flags', 'flag'], ['found', 'reg'], ['none', 'pc']] },
  [Op.ScanIndexed]:     { name: 'scan_indexed',    fields: [['iterator', 'reg'], ['found', 'reg'], ['wanted', 'op']] },
  [Op.ScanNarrow]:      { name: 'scan_narrow',     fields: [['iterator', 'reg'], ['path', 'path'], ['flags', 'flag'], ['wanted', 'op']] },
  // Goes on elsewhere if the first element of an array has no value at one of the paths.
  [Op.ScanReaches]:     { name: 'scan_reaches',    fields: [['iterator', 'reg'], ['paths', 'const'], ['none', 'pc']] },
  // Of a scan just started: narrows it to the first element of each value at a path, where all
  // values are scalars. Flag 1: as above.
  [Op.ScanGroups]:      { name: 'scan_groups',     fields: [['iterator', 'reg'], ['path', 'path'], ['flags', 'flag']] },
  // The same of a scan that was narrowed to the elements that have one value in an index.
  [Op.ScanFoundGroups]: { name: 'scan_found_groups', fields: [['iterator', 'reg'], ['found', 'reg'], ['path', 'path'], ['flags', 'flag']] },
  // Leaves out rounds of a loop that have the same values at some paths as an earlier round.
  [Op.NewRounds]:       { name: 'new_rounds',      fields: [['target', 'reg'], ['source', 'reg']] },
  [Op.DistinctRound]:   { name: 'distinct_round',  fields: [['rounds', 'reg'], ['element', 'reg'], ['paths', 'const'], ['repeated', 'pc']] },
  [Op.WithPush]:        { name: 'with_push',       fields: [['local', 'reg'], ['path', 'path'], ['value', 'op']] },
  [Op.WithPop]:         { name: 'with_pop',        fields: [] },
  [Op.Call]:            { name: 'call',            fields: [['function', 'fn'], ['result', 'reg'], ['undefined', 'pc'], ['args', 'ops']] },
  [Op.CallDynamic]:     { name: 'call_dynamic',    fields: [['result', 'reg'], ['undefined', 'pc'], ['path', 'ops'], ['args', 'ops']] },
  [Op.Builtin]:         { name: 'builtin',         fields: [['builtin', 'builtin'], ['result', 'reg'], ['undefined', 'pc'], ['args', 'ops']] },
  [Op.Builtin1]:        { name: 'builtin_1',       fields: [['builtin', 'builtin'], ['result', 'reg'], ['undefined', 'pc'], ['a', 'op']] },
  [Op.Builtin2]:        { name: 'builtin_2',       fields: [['builtin', 'builtin'], ['result', 'reg'], ['undefined', 'pc'], ['a', 'op'], ['b', 'op']] },
  // Comparisons: flag 0 `<`, 1 `<=`, 2 `>`, 3 `>=`, 4 `==`, 5 `!=`; `compare_test` is undefined
  // where the comparison is false.
  [Op.Compare]:         { name: 'compare',         fields: [['result', 'reg'], ['relation', 'flag'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.CompareTest]:     { name: 'compare_test',    fields: [['relation', 'flag'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  // Arithmetic: flag 0 `+`, 1 `-`, 2 `*`; the built-in computes what `quickResult` does not.
  [Op.Arithmetic]:      { name: 'arithmetic',      fields: [['builtin', 'builtin'], ['result', 'reg'], ['undefined', 'pc'], ['operator', 'flag'], ['a', 'op'], ['b', 'op']] },
  [Op.Return]:          { name: 'return',          fields: [['source', 'reg']] },
  [Op.ResultAdd]:       { name: 'result_add',      fields: [['value', 'reg'], ['undefined', 'pc']] },
  [Op.End]:             { name: 'end',             fields: [] },
  // Rules that differ in a constant: `dispatch` finds the entries of those whose constant equals
  // the value, `dispatch_next` goes to the next of them.
  [Op.Dispatch]:        { name: 'dispatch',        fields: [['iterator', 'reg'], ['value', 'op'], ['table', 'table'], ['none', 'pc']] },
  [Op.DispatchNext]:    { name: 'dispatch_next',   fields: [['iterator', 'reg'], ['end', 'pc']] },
  // A look-up before the loop that needs it: undefined is no failure yet.
  [Op.DotAhead]:        { name: 'dot_ahead',       fields: [['target', 'reg'], ['source', 'reg'], ['key', 'const']] },
  // In functions that may mutate an escaped value (see `lowering/escape-analysis.ts`): the
  // register `tracker` holds the values that the function made and that have not escaped. Flag 1:
  // an object of any keys is needed.
  [Op.TrackStart]:      { name: 'track_start',     fields: [['tracker', 'reg']] },
  [Op.Track]:           { name: 'track',           fields: [['tracker', 'reg'], ['made', 'reg'], ['any', 'flag']] },
  [Op.Escape]:          { name: 'escape',          fields: [['tracker', 'reg'], ['value', 'reg']] },
  [Op.CopyIfEscaped]:   { name: 'copy_if_escaped', fields: [['tracker', 'reg'], ['changed', 'reg'], ['any', 'flag']] },
  [Op.Member]:          { name: 'member',          fields: [['element', 'op'], ['collection', 'op'], ['undefined', 'pc']] },
};
