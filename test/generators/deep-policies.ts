/** Policies of any depth: chains of operators and branches, and brackets in brackets. */

interface DeepKind {
  readonly name: string;
  /** The rule `r` of the package `t`, so many levels deep. */
  readonly rule: (levels: number) => string;
  readonly imports?: readonly string[];
  /** What `r` is for `deepInput`; undefined where it has no value. */
  readonly value: (levels: number) => unknown;
}

export const deepInput = { x: 1, yes: true, list: [1], same: { '1': 1 } };

const chain = (operand: string, sign: string, levels: number): string =>
  Array(levels + 1)
    .fill(operand)
    .join(` ${sign} `);

const operators = (sign: string, operand: string, value: DeepKind['value']): DeepKind => ({
  name: `operators ${sign}`,
  rule: (levels) => `r := ${chain(operand, sign, levels)}`,
  value,
});

const brackets = (
  name: string,
  [open, inner, close]: readonly [string, string, string],
  value: DeepKind['value'],
  helper = '',
): DeepKind => ({
  name,
  rule: (levels) => `${helper}r := ${open.repeat(levels)}${inner}${close.repeat(levels)}`,
  value,
});

/** A value in as many others. */
function wrapped(value: unknown, levels: number, wrap: (value: unknown) => unknown): unknown {
  let all = value;
  for (let i = 0; i < levels; i++) all = wrap(all);
  return all;
}

const inArrays = (levels: number): unknown => wrapped(1, levels, (value) => [value]);
const inObjects = (levels: number): unknown => wrapped(1, levels, (value) => ({ a: value }));

const branch = (value: string, body: string): string => ` else ${value}if { ${body} }`;
const branches = (levels: number, make: (i: number) => string): string => Array.from({ length: levels }, (_, i) => make(i)).join('');

export const deepKinds: readonly DeepKind[] = [
  operators('+', 'input.x', (levels) => levels + 1),
  operators('-', 'input.x', (levels) => 1 - levels),
  operators('*', 'input.x', () => 1),
  operators('/', 'input.x', () => 1),
  operators('%', '2', () => 0),
  operators('|', '{1}', () => [1]),
  operators('&', '{input.x}', () => [1]),
  operators('==', 'input.x', (levels) => levels === 1),
  operators('<', 'input.x', (levels) => levels > 1),
  operators('in', 'input.list', () => false),
  {
    name: 'operators of several precedences',
    rule: (levels) => `r := 1${branches(levels, (i) => [' + 2 * 3', ' - 6 / 1', ' - 1 * 1', ' + 1'][i % 4]!)}`,
    value: (levels) => [1, 7, 1, 0][levels % 4],
  },
  {
    name: 'or',
    imports: ['future.keywords.or'],
    rule: (levels) => `r if ${chain('input.x == 2', 'or', levels)} or input.yes`,
    value: () => true,
  },
  {
    name: 'and',
    imports: ['future.keywords.and'],
    rule: (levels) => `r if ${chain('input.yes', 'and', levels)}`,
    value: () => true,
  },
  {
    name: 'and below or',
    imports: ['future.keywords.and', 'future.keywords.or'],
    rule: (levels) => `r if ${chain('input.no and input.yes', 'or', levels)} or input.yes and input.x == 1`,
    value: () => true,
  },
  brackets('parentheses', ['(', 'input.x', ')'], () => 1),
  brackets('operators in parentheses', ['(1 + ', 'input.x', ')'], (levels) => levels + 1),
  brackets('arrays', ['[', 'input.x', ']'], inArrays),
  brackets('arrays of constants', ['[', '1', ']'], inArrays),
  brackets('sets', ['{', 'input.x', '}'], inArrays),
  brackets('objects', ['{"a": ', 'input.x', '}'], inObjects),
  brackets('objects of constants', ['{"a": ', '1', '}'], inObjects),
  brackets('several members', ['[0, ', 'input.x', ', 2]'], (levels) => wrapped(1, levels, (value) => [0, value, 2])),
  brackets('calls', ['f(', 'input.x', ')'], (levels) => levels + 1, 'f(x) := x + 1\n\n'),
  brackets('calls of built-ins', ['abs(', 'input.x', ')'], () => 1),
  brackets('refs in refs', ['input.same[', 'input.x', ']'], () => undefined),
  brackets('refs in refs of one key', ['input.same[', '"1"', ']'], (levels) => (levels === 1 ? 1 : undefined)),
  { name: 'fields', rule: (levels) => `r if not input${'.a'.repeat(levels)}`, value: () => true },
  { name: 'indexes', rule: (levels) => `r if not input.list${'[0]'.repeat(levels + 1)}`, value: () => true },
  {
    name: 'else with values',
    rule: (levels) => `r := 0 if { input.x == 0 }${branches(levels, (i) => branch(`:= ${levels - i} `, `input.x == ${levels - i}`))}`,
    value: () => 1,
  },
  {
    name: 'else with bodies',
    rule: (levels) => `r if { input.x == 0 }${branches(levels, (i) => branch('', `input.x == ${levels - i}`))}`,
    value: () => true,
  },
  {
    name: 'a last else without a body',
    rule: (levels) => `r := 0 if { input.x == 0 }${branches(levels, (i) => branch(':= 1 ', `input.x == ${i + 2}`))} else := 7`,
    value: () => 7,
  },
  { name: 'expressions', rule: (levels) => `r if {\n${'\tinput.x == 1\n'.repeat(levels)}}`, value: () => true },
];

/** A module with the rule of a kind. */
export function deepModule({ imports = [], rule }: DeepKind, levels: number): string {
  return `package t\n\n${imports.map((path) => `import ${path}\n`).join('')}\n${rule(levels)}\n`;
}
