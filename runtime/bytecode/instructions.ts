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
 * An instruction goes on at the next one, or at its `pc` where an operand is undefined or what it
 * `does` is not so: an operand of another type, a comparison that is false. Counting work may end
 * the evaluation in each instruction.
 */
import { Op, type Opcode } from './opcodes.js';

// biome-ignore format: in groups
export type InstructionFieldKind =
  | 'in' | 'out' | 'both' | 'iter'
  | 'op' | 'ops' | 'pc' | 'flag'
  | 'fn' | 'builtin' | 'const' | 'path' | 'table';

interface Instruction {
  readonly name: string;
  /** Its effect, with the names of its fields. */
  readonly does: string;
  readonly fields: readonly (readonly [name: string, kind: InstructionFieldKind])[];
}

// biome-ignore format: a table
export const instructions: { readonly [op in Opcode]: Instruction } = {
  [Op.Jump]: { name: 'jump', does: 'goes on at `to`',
    fields: [['to', 'pc']] },
  [Op.EndLoop]: { name: 'end_loop', does: 'goes on at `to`; where errors of built-ins are looked for, the loop goes on',
    fields: [['to', 'pc']] },
  [Op.Move]: { name: 'move', does: 'target = source',
    fields: [['target', 'out'], ['source', 'op']] },
  [Op.MoveOnce]: { name: 'move_once', does: 'target = source; ends with a conflict if target has another value',
    fields: [['target', 'both'], ['source', 'op']] },
  [Op.Raise]: { name: 'raise', does: 'ends with the error `text`',
    fields: [['text', 'const']] },
  [Op.Reset]: { name: 'reset', does: 'target = undefined',
    fields: [['target', 'out']] },
  [Op.Dot]: { name: 'dot', does: 'target = source[key]',
    fields: [['target', 'out'], ['source', 'op'], ['key', 'op'], ['undefined', 'pc']] },
  [Op.DotBase]: { name: 'dot_base', does: 'target = source[key], of base documents: a text finds the element of an array',
    fields: [['target', 'out'], ['source', 'op'], ['key', 'op'], ['undefined', 'pc']] },
  [Op.DotConst]: { name: 'dot_const', does: 'target = source[key]',
    fields: [['target', 'out'], ['source', 'op'], ['key', 'const'], ['undefined', 'pc']] },
  [Op.Equal]: { name: 'equal', does: 'a == b',
    fields: [['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.EqualConst]: { name: 'equal_const', does: 'a === b, for constants that are equal to nothing else',
    fields: [['a', 'in'], ['b', 'const'], ['undefined', 'pc']] },
  [Op.NotEqual]: { name: 'not_equal', does: 'a != b',
    fields: [['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.NotEqualConst]: { name: 'not_equal_const', does: 'a !== b, for such constants',
    fields: [['a', 'in'], ['b', 'const'], ['undefined', 'pc']] },
  [Op.IsDefined]: { name: 'is_defined', does: 'source is defined',
    fields: [['source', 'in'], ['undefined', 'pc']] },
  [Op.IsUndefined]: { name: 'is_undefined', does: 'source is undefined',
    fields: [['source', 'in'], ['undefined', 'pc']] },
  [Op.IsArray]: { name: 'is_array', does: 'source is an array',
    fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.IsObject]: { name: 'is_object', does: 'source is an object',
    fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.IsSet]: { name: 'is_set', does: 'source is a set',
    fields: [['source', 'op'], ['undefined', 'pc']] },
  [Op.Len]: { name: 'len', does: 'target = the length of source',
    fields: [['target', 'out'], ['source', 'op'], ['undefined', 'pc']] },
  [Op.MakeArray]: { name: 'make_array', does: 'target = []',
    fields: [['target', 'out']] },
  [Op.MakeObject]: { name: 'make_object', does: 'target = {}, whose keys will be strings',
    fields: [['target', 'out']] },
  [Op.MakeAnyObject]: { name: 'make_any_object', does: 'target = {}, whose keys may be any values',
    fields: [['target', 'out']] },
  [Op.MakeSet]: { name: 'make_set', does: 'target = set()',
    fields: [['target', 'out']] },
  [Op.ArrayAppend]: { name: 'array_append', does: 'appends value to array; ends if the array is too long',
    fields: [['array', 'in'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.SetAdd]: { name: 'set_add', does: 'adds value to set',
    fields: [['set', 'in'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectInsert]: { name: 'object_insert', does: 'object[key] = value; object is another one where it cannot have the key',
    fields: [['object', 'both'], ['key', 'op'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectInsertOnce]: { name: 'object_insert_once', does: 'the same; ends with a conflict if the key has another value',
    fields: [['object', 'both'], ['key', 'op'], ['value', 'op'], ['undefined', 'pc']] },
  [Op.ObjectMerge]: { name: 'object_merge', does: 'target = a and b; where both have a key, objects are merged, else b wins',
    fields: [['target', 'out'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  // A scan has three registers from `iterator` on: the sequence, the next position, and the
  // source of values. Flag 1: its rounds may make the array longer, so a copy is walked.
  [Op.ScanStart]: { name: 'scan_start', does: 'iterator = a loop over source',
    fields: [['iterator', 'iter'], ['source', 'op'], ['undefined', 'pc'], ['flags', 'flag']] },
  // The register is false once members of a set come in any order, and true where they must not.
  [Op.ScanFree]: { name: 'scan_free', does: 'the same; members of a set come in any order unless ordered is true',
    fields: [['iterator', 'iter'], ['source', 'op'], ['undefined', 'pc'], ['ordered', 'both']] },
  // Flags 0, 1, 2: order matters for all but texts, booleans and null, for collections and exact
  // numbers, or for all but whole numbers. 4: the array is emptied before the loop starts again,
  // which the next instruction does.
  [Op.InOrder]: { name: 'in_order', does: 'ordered = true if order matters for value; at `next` unless rounds had another one',
    fields: [['ordered', 'both'], ['value', 'op'], ['flags', 'flag'], ['array', 'in'], ['next', 'pc']] },
  [Op.ScanNext]: { name: 'scan_next', does: 'key, value = the next element, and counts the round; at `end` if there is none',
    fields: [['iterator', 'iter'], ['key', 'out'], ['value', 'out'], ['end', 'pc'], ['weight', 'flag']] },
  // For a scan just started: finds the index of its array by the value at a path. Flag 1: the array
  // is part of the data, so that the index outlasts the evaluation; 2: later instructions
  // call built-ins, whose errors may be reported; 4: the path is that in members of the collections
  // at `above`; 8: errors of these end the evaluation where they are strict. Then narrows the scan
  // to the elements that have the wanted value; the others would fail anyway. These may be narrowed
  // further by the value at another path.
  [Op.ScanIndex]: { name: 'scan_index', does: "found = the index of the loop's array; at `none` if it is scanned",
    fields: [['iterator', 'iter'], ['path', 'path'], ['above', 'path'], ['flags', 'flag'], ['found', 'out'], ['none', 'pc']] },
  [Op.ScanIndexed]: { name: 'scan_indexed', does: 'narrows the loop to the elements of wanted in the index',
    fields: [['iterator', 'iter'], ['found', 'in'], ['wanted', 'op']] },
  [Op.ScanNarrow]: { name: 'scan_narrow', does: 'narrows such a loop by a second value',
    fields: [['iterator', 'iter'], ['path', 'path'], ['flags', 'flag'], ['wanted', 'op']] },
  // Goes on elsewhere if the first element of an array has no value at one of the paths.
  [Op.ScanReaches]: { name: 'scan_reaches', does: 'the first element of the loop has values at the paths',
    fields: [['iterator', 'iter'], ['paths', 'const'], ['none', 'pc']] },
  // Narrows a scan just started to the first element of each value at a path, where all
  // values are scalars. Flag 1: as above.
  [Op.ScanGroups]: { name: 'scan_groups', does: 'narrows the loop to the first element of each value',
    fields: [['iterator', 'iter'], ['path', 'path'], ['flags', 'flag']] },
  // Narrows in that way a scan that an index has narrowed to the elements with one value.
  [Op.ScanFoundGroups]: { name: 'scan_found_groups', does: 'the same for a loop that was narrowed by an index',
    fields: [['iterator', 'iter'], ['found', 'in'], ['path', 'path'], ['flags', 'flag']] },
  // Leaves out rounds of a loop that have the same values at some paths as an earlier round.
  [Op.NewRounds]: { name: 'new_rounds', does: 'target = the rounds that a loop over source had: none; undefined where they are not compared',
    fields: [['target', 'out'], ['source', 'in'], ['paths', 'const']] },
  [Op.DistinctRound]: { name: 'distinct_round', does: 'notes the values of a round; at `repeated` if an earlier round had them',
    fields: [['rounds', 'in'], ['element', 'in'], ['paths', 'const'], ['repeated', 'pc']] },
  [Op.WithPush]: { name: 'with_push', does: 'local = local with value at path; results of rules are kept apart until the end',
    fields: [['local', 'both'], ['path', 'path'], ['value', 'op']] },
  [Op.WithPop]: { name: 'with_pop', does: 'ends the innermost of these, and takes back what it replaced',
    fields: [] },
  [Op.Call]: { name: 'call', does: 'result = function(args), from memory if it is there; ends if calls nest too deeply',
    fields: [['function', 'fn'], ['result', 'out'], ['undefined', 'pc'], ['args', 'ops']] },
  [Op.CallDynamic]: { name: 'call_dynamic', does: 'result = the function at path, called; ends if calls nest too deeply',
    fields: [['result', 'out'], ['undefined', 'pc'], ['path', 'ops'], ['args', 'ops']] },
  [Op.Builtin]: { name: 'builtin', does: 'result = builtin(args); may end with its error, or wait',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['args', 'ops']] },
  [Op.Builtin1]: { name: 'builtin_1', does: 'the same with one argument',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['a', 'op']] },
  [Op.Builtin2]: { name: 'builtin_2', does: 'the same with two arguments',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['a', 'op'], ['b', 'op']] },
  // Comparisons: flag 0 `<`, 1 `<=`, 2 `>`, 3 `>=`, 4 `==`, 5 `!=`; `compare_test` is undefined
  // where the comparison is false.
  [Op.Compare]: { name: 'compare', does: 'result = whether a and b have the relation',
    fields: [['result', 'out'], ['relation', 'flag'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  [Op.CompareTest]: { name: 'compare_test', does: 'a and b have the relation',
    fields: [['relation', 'flag'], ['a', 'op'], ['b', 'op'], ['undefined', 'pc']] },
  // Arithmetic: flag 0 `+`, 1 `-`, 2 `*`; the built-in computes what `quickResult` does not.
  [Op.Arithmetic]: { name: 'arithmetic', does: 'result = a operator b',
    fields: [['builtin', 'builtin'], ['result', 'out'], ['undefined', 'pc'], ['operator', 'flag'], ['a', 'op'], ['b', 'op']] },
  [Op.Return]: { name: 'return', does: 'leaves the function with source as its result',
    fields: [['source', 'in']] },
  [Op.ResultAdd]: { name: 'result_add', does: 'adds value to the results of the plan',
    fields: [['value', 'in'], ['undefined', 'pc']] },
  [Op.End]: { name: 'end', does: 'leaves the function without a result; of a plan, ends the evaluation',
    fields: [] },
  // Rules that differ in a constant: `dispatch` finds the entries of those whose constant equals
  // the value, `dispatch_next` goes to the next of them.
  [Op.Dispatch]: { name: 'dispatch', does: 'iterator = the rules whose constant equals value; at `none` if there are none',
    fields: [['iterator', 'iter'], ['value', 'op'], ['table', 'table'], ['none', 'pc']] },
  [Op.DispatchNext]: { name: 'dispatch_next', does: 'goes on at the next of these rules; at `end` after the last one',
    fields: [['iterator', 'iter'], ['end', 'pc']] },
  // A look-up before the loop that needs it: undefined is no failure yet.
  [Op.DotAhead]: { name: 'dot_ahead', does: 'target = source[key], or undefined',
    fields: [['target', 'out'], ['source', 'in'], ['key', 'const']] },
  // In functions that may mutate an escaped value (see `lowering/facts/escape-analysis.ts`): the
  // register `tracker` holds the values that the function made and that have not escaped. Flag 1:
  // an object of any keys is needed.
  [Op.TrackStart]: { name: 'track_start', does: 'tracker = a tracker of nothing',
    fields: [['tracker', 'out']] },
  [Op.Track]: { name: 'track', does: 'made is tracked, as a copy if it has to be',
    fields: [['tracker', 'in'], ['made', 'both'], ['any', 'flag']] },
  [Op.Escape]: { name: 'escape', does: 'value, and what it contains, is tracked no longer',
    fields: [['tracker', 'in'], ['value', 'in']] },
  [Op.CopyIfEscaped]: { name: 'copy_if_escaped', does: 'changed = a copy of it, if it has escaped',
    fields: [['tracker', 'in'], ['changed', 'both'], ['any', 'flag']] },
  [Op.Member]: { name: 'member', does: 'collection has element',
    fields: [['element', 'op'], ['collection', 'op'], ['undefined', 'pc']] },
};
