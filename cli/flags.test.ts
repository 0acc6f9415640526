import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseArguments } from './args.js';
import { commands, commandsOf } from './command-table.js';
import { parseEvalRef } from './eval/query.js';
import { statistics } from './eval/statistics.js';
import { type Flag, parseFlagValue } from './flags.js';
import { colored } from './output/color.js';
import { jsonOutput } from './output/ordered-json.js';
import { gridText, rowsText, tableText, truncated, truncatedPath } from './output/table.js';
import { runCommandLine } from './run.js';

const table: readonly Flag[] = [
  { name: 'bundle', short: 'b', type: 'string', repeated: true, usage: '' },
  { name: 'input', short: 'i', type: 'string', usage: '' },
  { name: 'fail', short: 'F', type: 'bool', usage: '' },
  { name: 'ignore', type: 'strings', usage: '' },
];
const parse = (...argv: string[]) => parseArguments('eval', table, argv, {});

test('flags and arguments may be in any order, and a flag may be repeated', () => {
  const { flags, positionals } = parse('-b', 'one', 'query', '--bundle=two', '-bthree', '-b=four', '-F', '-i', 'a', '--input', '-b');
  expect(positionals).toEqual(['query']);
  expect(flags.all('bundle')).toEqual(['one', 'two', 'three', 'four']);
  expect(flags.text('input')).toBe('-b');
  expect(flags.on('fail')).toBe(true);
});

test('behind two dashes nothing is a flag, and a dash alone is none', () => {
  expect(parse('-', '--', '--fail', '-b').positionals).toEqual(['-', '--fail', '-b']);
});

test('lists are split at commas and go on', () => {
  expect(parse('--ignore', 'a,b', '--ignore=c').flags.all('ignore')).toEqual(['a', 'b', 'c']);
});

test('a switch is recorded before the argument that follows it', () => {
  expect([...parse('a', '--fail', 'b', 'c').before]).toEqual([[1, 'fail']]);
  expect([...parse('--fail=true', 'b').before]).toEqual([]);
});

test.each([
  ['bool', 'T', true],
  ['bool', '0', false],
  ['int', '0x10', 16],
  ['int', '-1_000', -1000],
  ['int', '010', 8],
  ['duration', '1h1m1s1ms', 3_661_001],
  ['duration', '-1.5s', -1500],
  ['duration', '0', 0],
  ['duration', '.5ms', 0.5],
] as const)('as %s, %j is %j', (type, text, value) => {
  expect(parseFlagValue({ type }, text)).toEqual([value]);
});

test.each([
  ['bool', 'yes', 'strconv.ParseBool: parsing "yes": invalid syntax'],
  ['int', '1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
  ['int', '99999999999999999999', 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
  ['duration', '', 'time: invalid duration ""'],
  ['duration', 's', 'time: invalid duration "s"'],
  ['duration', '1x', 'time: unknown unit "x" in duration "1x"'],
  ['duration', '1constructor', 'time: unknown unit "constructor" in duration "1constructor"'],
] as const)('as %s, %j is refused', (type, text, message) => {
  expect(() => parseFlagValue({ type }, text)).toThrow(message);
});

interface ReferenceFlag {
  readonly name: string;
  readonly short?: string;
  readonly type?: string;
}

const reference = fileURLToPath(new URL('../../shared/reference/flags.json', import.meta.url));
const referenceTypes: Readonly<Record<string, readonly string[]>> = {
  bool: ['bool'],
  string: ['string'],
  int: ['int'],
  float: ['float'],
  duration: ['duration'],
  strings: ['strings'],
  stringArray: ['string'],
};

describe.skipIf(!existsSync(reference))('the flags of the reference', () => {
  const tables = existsSync(reference)
    ? (JSON.parse(readFileSync(reference, 'utf8')) as { commands: Record<string, ReferenceFlag[]> }).commands
    : {};
  const rows = Object.entries(tables).flatMap(([command, flags]) => flags.map((flag) => [command, flag.name, flag] as const));
  test.each(rows)('%s has --%s, of the same type and short form', async (name, _flag, expected) => {
    const command = await (commands[name] ?? Object.values(commandsOf(name))[0]!).load();
    const flag = command.flags.find((own) => own.name === expected.name);
    expect(flag).toBeDefined();
    expect(flag!.short).toBe(expected.short ?? flag!.short);
    if (expected.type === undefined) return;
    // Our own command may accept more words.
    if (expected.type.startsWith('{')) expect(flag!.type).toEqual(expect.arrayContaining(expected.type.slice(1, -1).split(',')));
    // A string flag of the reference may be a list of words here; types outside of the table are
    // extraction errors in the list.
    else if (typeof flag!.type === 'string' && expected.type in referenceTypes) expect(referenceTypes[expected.type]).toContain(flag!.type);
  });
});

const given = ({ name, type }: Flag): string => {
  if (type === 'bool') return `--${name}`;
  return `--${name}=${typeof type === 'object' ? type.at(-1) : type === 'int' ? '1' : type === 'duration' ? '1s' : 'x'}`;
};
const every = await Promise.all(Object.values(commands).map((entry) => entry.load()));
const special = every.flatMap((command) =>
  command.flags.filter(({ refused, ignored }) => refused ?? ignored).map((flag) => [command.name, flag.name, flag] as const),
);

test.each(special)('%s states the effect of --%s', async (command, _name, flag) => {
  let stderr = '';
  const io = { stdin: () => new Uint8Array(), stdout: () => {}, stderr: (text: string) => void (stderr += text), env: {}, color: false };
  const exit = await runCommandLine([...command.split(' '), given(flag), 'input'], io);
  if (flag.refused !== undefined)
    expect([exit, stderr]).toEqual([1, expect.stringContaining(`Error: --${flag.name} is not supported: ${flag.refused}\n`)]);
  else expect(stderr.split('\n')[0]).toBe(`warning: --${flag.name} has no effect (${flag.ignored})`);
});

test('no two flags of a command share a name or a short form', async () => {
  for (const entry of Object.values(commands)) {
    const { flags } = await entry.load();
    const names = flags.flatMap(({ name, short }) => (short === undefined ? [name] : [name, short]));
    expect(new Set(names).size).toBe(names.length);
  }
});

test.each([
  ['data', ['data']],
  ['data.a["b c"][0].d', ['data', 'a', 'b c', 0, 'd']],
  ['data[`x\\y`]["\\u00e9"]', ['data', 'x\\y', 'é']],
  ['data.a == 1', undefined],
  ['data.a[_]', undefined],
  ['data.', undefined],
  ['1', undefined],
  ['', undefined],
])('the reference %j reads as %j', (text, keys) => {
  expect(parseEvalRef(text)).toEqual(keys);
});

test('statistics interpolate between the samples', () => {
  expect(statistics([4, 1, 3, 2])).toMatchObject({ count: 4, min: 1, max: 4, mean: 2.5, median: 2.5, '75%': 3.75, '99.99%': 4 });
  expect(statistics([7])).toMatchObject({ count: 1, min: 7, max: 7, stddev: 0, '90%': 7 });
});

test('long texts and paths are cut where least is lost', () => {
  expect(truncated('x'.repeat(60), 50)).toBe(`${'x'.repeat(47)}...`);
  expect(truncatedPath(`first/${'m'.repeat(60)}/end/file.rego`, 50)).toBe(
    `first/...${'m'.repeat(0)}${`${'m'.repeat(60)}/end`.slice(-31)}/file.rego`,
  );
  expect(truncatedPath(`first/${'m'.repeat(60)}/end/file.rego`, 50)).toHaveLength(50);
});

test('a table leaves out repeated cells of its first column', () => {
  const rows = [
    ['x', '1'],
    ['x', '2'],
    ['y', '2'],
  ];
  expect(tableText(['a', 'bcd'], rows, { merge: true, capitals: true })).toBe(
    '┌───┬─────┐\n│ A │ BCD │\n├───┼─────┤\n│ x │ 1   │\n│   │ 2   │\n│ y │ 2   │\n└───┴─────┘\n',
  );
});

test('a table has more rows than a call can have arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [`${i}`, 'x']);
  for (const text of [tableText(['a', 'b'], rows), rowsText(rows), gridText([rows])]) expect(text).toContain('│ 199999 │ x │');
});

test('only a terminal gets colours, and they change no text', () => {
  const value = { a: [1, true, null, 'x: "y"'] };
  const io = { stdin: () => new Uint8Array(), stdout: () => {}, stderr: () => {}, env: {}, color: true };
  expect(jsonOutput(value)).not.toContain('\u001b');
  expect(jsonOutput(value, io)).toBe(`${colored(jsonOutput(value).trimEnd())}\n`);
  expect(jsonOutput(value, io).replaceAll(/\u001b\[\d+m/g, '')).toBe(jsonOutput(value));
});
