import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instructions } from './instructions.js';
import { Op } from './opcodes.js';

/** The effect of each instruction, with the names of its fields, for the page that lists them. */
const instructionEffects: { readonly [name: string]: string } = {
  jump: 'goes on at `to`',
  end_loop: 'goes on at `to`; where errors of built-ins are looked for, the loop goes on',
  move: 'target = source',
  move_once: 'target = source; ends with a conflict if target has another value',
  raise: 'ends with the error `text`',
  reset: 'target = undefined',
  dot: 'target = source[key]',
  dot_base: 'target = source[key], of base documents: a text finds the element of an array',
  dot_const: 'target = source[key]',
  equal: 'a == b',
  equal_const: 'a === b, for constants that are equal to nothing else',
  not_equal: 'a != b',
  not_equal_const: 'a !== b, for such constants',
  is_defined: 'source is defined',
  is_undefined: 'source is undefined',
  is_array: 'source is an array',
  is_object: 'source is an object',
  is_set: 'source is a set',
  len: 'target = the length of source',
  make_array: 'target = []',
  make_object: 'target = {}, whose keys will be strings',
  make_any_object: 'target = {}, whose keys may be any values',
  make_set: 'target = set()',
  array_append: 'appends value to array; ends if the array is too long',
  set_add: 'adds value to set',
  object_insert: 'object[key] = value; object is another one where it cannot have the key',
  object_insert_once: 'the same; ends with a conflict if the key has another value',
  object_merge: 'target = a and b; where both have a key, objects are merged, else b wins',
  scan_start: 'iterator = a loop over source',
  scan_free: 'the same; members of a set come in any order unless ordered is true',
  in_order: 'ordered = true if order matters for value; at `next` unless rounds had another one',
  scan_next: 'key, value = the next element, and counts the round; at `end` if there is none',
  scan_index: "found = the index of the loop's array; at `none` if it is scanned",
  scan_indexed: 'narrows the loop to the elements of wanted in the index',
  scan_narrow: 'narrows such a loop by a second value',
  scan_reaches: 'the first element of the loop has values at the paths',
  scan_groups: 'narrows the loop to the first element of each value',
  scan_found_groups: 'the same for a loop that was narrowed by an index',
  new_rounds: 'target = the rounds that a loop over source had: none; undefined where they are not compared',
  distinct_round: 'notes the values of a round; at `repeated` if an earlier round had them',
  with_push: 'local = local with value at path; results of rules are kept apart until the end',
  with_pop: 'ends the innermost of these, and takes back what it replaced',
  call: 'result = function(args), from memory if it is there; ends if calls nest too deeply',
  call_dynamic: 'result = the function at path, called; ends if calls nest too deeply',
  builtin: 'result = builtin(args); may end with its error, or wait',
  builtin_1: 'the same with one argument',
  builtin_2: 'the same with two arguments',
  compare: 'result = whether a and b have the relation',
  compare_test: 'a and b have the relation',
  arithmetic: 'result = a operator b',
  return: 'leaves the function with source as its result',
  result_add: 'adds value to the results of the plan',
  end: 'leaves the function without a result; of a plan, ends the evaluation',
  dispatch: 'iterator = the rules whose constant equals value; at `none` if there are none',
  dispatch_next: 'goes on at the next of these rules; at `end` after the last one',
  dot_ahead: 'target = source[key], or undefined',
  track_start: 'tracker = a tracker of nothing',
  track: 'made is tracked, as a copy if it has to be',
  escape: 'value, and what it contains, is tracked no longer',
  copy_if_escaped: 'changed = a copy of it, if it has escaped',
  member: 'collection has element',
};

/** The machine's cases by opcode. An offset of a field is where a case finds it: `code[pc + 1]`. */
const cases = new Map<string, string>();
const machine = readFileSync(new URL('../vm/run.ts', import.meta.url), 'utf8');
for (const [, labels, body] of machine.matchAll(/((?:\n {8}case Op\.\w+:)+)(.*?)(?=\n {8}(?:case|default)\b)/gs)) {
  for (const [, op] of labels!.matchAll(/Op\.(\w+)/g)) cases.set(op!, withoutAliases(body!));
}

/** A case with the fields themselves in the place of the constants that it names them by. */
function withoutAliases(body: string): string {
  const aliases = body.matchAll(/const (\w+) = (base \+ code\[pc \+ \d\]!);/g);
  return [...aliases].reduce(
    (text, [, name, field]) => text.replaceAll(new RegExp(`registers\\[${name}\\b`, 'g'), `registers[${field}`),
    body,
  );
}

/** How a case uses the register of a field: by the name of the field's kind. */
function useOf(body: string, offset: number): string | undefined {
  const field = `base \\+ code\\[pc \\+ ${offset}\\]!`;
  if (new RegExp(`registers,\\s+${field}`).test(body)) return 'iter';
  const places = [...body.matchAll(new RegExp(`registers\\[${field}( \\+ \\d)?\\]( (?:\\?\\?)?=\\s)?`, 'g'))];
  if (places.some(([, next]) => next !== undefined)) return 'iter';
  const isWritten = places.some(([, , assigned]) => assigned !== undefined);
  const isRead = places.some(([, , assigned]) => assigned === undefined);
  if (isWritten) return isRead ? 'both' : 'out';
  return isRead ? 'in' : undefined;
}

test.each(Object.keys(Op))('the registers of %s are used as its row says', (op) => {
  const { fields } = instructions[Op[op as keyof typeof Op]];
  const body = cases.get(op);
  expect(body).toBeDefined();
  for (const [i, [name, kind]] of fields.entries()) {
    if (['in', 'out', 'both', 'iter'].includes(kind)) expect([name, useOf(body!, i + 1)]).toEqual([name, kind]);
    else expect([name, useOf(body!, i + 1)]).toEqual([name, undefined]);
  }
});

test.each(Object.values(instructions).map((row) => [row.name, row] as const))('the effect of %s names fields that it has', (_name, row) => {
  const names = new Set(row.fields.map(([name]) => name));
  for (const [, quoted] of instructionEffects[row.name]!.matchAll(/`(\w+)`/g)) expect(names).toContain(quoted);
  for (const [, target] of instructionEffects[row.name]!.matchAll(/^(\w+)(?:, \w+)? = /g)) expect(names).toContain(target);
});

test('the page of the instructions has these rows (--update writes it)', async () => {
  const rows = Object.values(instructions).map(({ name, fields }) => {
    const shown = fields.map(([field, kind]) => `\`${field}\` ${kind}`).join(', ');
    return `| \`${name}\` | ${shown} | ${instructionEffects[name]!.replaceAll('|', '\\|')} |`;
  });
  const page = `# Instructions
The instructions of programs, as \`writ inspect --program\` lists them. This page is written from
\`runtime/bytecode/instructions.ts\`, which tells more of some, and \`instructions.test.ts\`.

Kinds of field: \`in\` a register that is read, \`out\` one that is written, \`both\` one that is read
and written, \`iter\` the registers of a loop or a dispatch; \`op\` a register or a constant that is
read, \`ops\` several of these; \`pc\` where to go on; \`fn\`, \`builtin\`, \`const\`, \`path\`, \`table\` a
part of the program; \`flag\` a number with a meaning of its own.

An instruction goes on at the next one, or at its \`pc\` where an operand is undefined or what stands
under *effect* is not so. Counting work may end the evaluation in each instruction.

| instruction | fields | effect |
|---|---|---|
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../docs/internals/instructions.md');
});
