import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instructions } from './instructions.js';
import { Op } from './opcodes.js';

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
  for (const [, quoted] of row.does.matchAll(/`(\w+)`/g)) expect(names).toContain(quoted);
  for (const [, target] of row.does.matchAll(/^(\w+)(?:, \w+)? = /g)) expect(names).toContain(target);
});

test('the page of the instructions has these rows (--update writes it)', async () => {
  const rows = Object.values(instructions).map(({ name, fields, does }) => {
    const shown = fields.map(([field, kind]) => `\`${field}\` ${kind}`).join(', ');
    return `| \`${name}\` | ${shown} | ${does.replaceAll('|', '\\|')} |`;
  });
  const page = `# Instructions
The instructions of programs, as \`writ inspect --program\` lists them. This page is written from
\`runtime/bytecode/instructions.ts\`, which tells more of some.

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
