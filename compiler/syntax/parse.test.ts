import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { allAtOnce } from '../../values/steps.js';
import { moduleToJson } from '../ast/ast-json.js';
import type { Module } from '../ast/nodes.js';
import { printModule, printTerm } from '../ast/print.js';
import { walk } from '../ast/walk.js';
import { CompileErrors } from '../diagnostics/diagnostics.js';
import { parseModule, parseModuleSteps } from './parse.js';
import { parseQuery, parseTerm } from './query.js';

const fixtures = 'fixtures/syntax';

interface ErrorCase {
  readonly note: string;
  readonly version?: 'v0';
  readonly text: string;
  readonly row: number;
  readonly col: number;
  readonly message: string;
}

function rejection(parse: () => unknown): CompileErrors {
  try {
    parse();
  } catch (error) {
    if (error instanceof CompileErrors) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}

const { cases } = JSON.parse(readFileSync(join(fixtures, 'errors.json'), 'utf8')) as { cases: ErrorCase[] };

test.each(cases)('$note is an error at its place', ({ version, text, row, col, message }) => {
  const [first] = rejection(() => parseModule('m.rego', text, { regoVersion: version ?? 'v1' })).diagnostics;
  expect(first?.code).toBe('rego_parse_error');
  expect(first?.message).toContain(message);
  expect(first?.location).toEqual({ file: 'm.rego', row, col });
});

interface AllErrorsCase {
  readonly note: string;
  readonly text: string;
  /** `row:col message`. */
  readonly errors: readonly string[];
}

const all = JSON.parse(readFileSync(join(fixtures, 'all-errors.json'), 'utf8')) as { cases: AllErrorsCase[] };

test.each(all.cases)('all errors of a module: $note', ({ text, errors }) => {
  const found = rejection(() => parseModule('m.rego', text)).diagnostics;
  expect(found.map(({ location, message }) => `${location?.row}:${location?.col} ${message}`)).toEqual(errors);
});

/** A module without its positions: wildcards are numbered by place. */
function meaning(module: Module): string {
  const { comments: _comments, annotations: _annotations, ...rest } = moduleToJson(module) as Record<string, unknown>;
  const json = JSON.stringify(rest, (key, value) => (key === 'annotations' ? undefined : value));
  return json.replace(/"\$\d+"/g, '"_"');
}

function expectRoundTrip(text: string, regoVersion: 'v0' | 'v1'): void {
  const module = parseModule('m.rego', text, { regoVersion });
  const printed = printModule(module);
  expect(meaning(parseModule('printed.rego', printed, { regoVersion })), printed).toBe(meaning(module));
}

const modules = (['v0', 'v1'] as const).flatMap((version) =>
  readdirSync(join(fixtures, version)).map(
    (file) => [`${version}/${file}`, version, readFileSync(join(fixtures, version, file), 'utf8')] as const,
  ),
);

test.each(modules)('%s is what it was after printing', (_file, version, text) => expectRoundTrip(text, version));

const shared = '../shared/conformance/rego';

describe.skipIf(!existsSync(shared))('the shared cases', () => {
  test.each(['v0', 'v1'] as const)('all modules of %s parse, and parse back equal when printed', (version) => {
    let count = 0;
    for (const file of readdirSync(join(shared, version), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.yaml')) continue;
      const document = load(readFileSync(join(shared, version, file), 'utf8'), { json: true }) as {
        cases: { modules?: string[]; query?: string }[];
      };
      for (const { modules = [], query } of document.cases) {
        for (const text of modules) {
          expectRoundTrip(text, version);
          count++;
        }
        if (query) parseQuery(query, { regoVersion: version });
      }
    }
    expect(count).toBeGreaterThan(1000);
  });
});

const rule = (text: string, regoVersion: 'v0' | 'v1' = 'v1'): Module['rules'][number] =>
  parseModule('m.rego', `package m\n\n${text}\n`, { regoVersion }).rules[0]!;

test.each([
  ['q := 1', ['true:6']],
  ['q contains 1', ['true:1']],
  ['q if input.x', ['true']],
  ['q if true', ['true', 'true:6']],
  ['q := true', ['true:6', 'true:6']],
  ['q if { input.x } else := 1', ['true', 'true:18']],
  ['q if { false } else := true if input.x', ['true', 'false:8', 'true:24']],
  ['default q := true', ['true:1', 'true:14']],
  ['q := [true | false]', ['true:6', 'true:7', 'false:14']],
])('the implied true of a body has a place, that of a head has none: %s', (rule, booleans) => {
  const found: string[] = [];
  JSON.stringify(moduleToJson(parseModule('m.rego', `package m\n${rule}\n`), { locations: true }), (_key, node) => {
    if (node?.type === 'boolean') found.push(node.location ? `${node.value}:${node.location.col}` : `${node.value}`);
    return node;
  });
  expect(found.sort()).toEqual([...booleans].sort());
});

/** The head as the API shows it, without locations. */
const head = (text: string, regoVersion: 'v0' | 'v1' = 'v1'): unknown => {
  const module = parseModule('m.rego', `package m\n\n${text}\n`, { regoVersion });
  return (moduleToJson(module) as { rules: { head: unknown }[] }).rules[0]!.head;
};

const p = { type: 'var', value: 'p' };
const x = { type: 'var', value: 'x' };
const one = { type: 'number', value: 1 };
const yes = { type: 'boolean', value: true };

test.each([
  ['a complete rule', 'p if true', 'v1', { name: 'p', value: yes, ref: [p] }],
  ['an assigned rule', 'p := 1', 'v1', { name: 'p', value: one, assign: true, ref: [p] }],
  ['a partial set', 'p contains x if x := 1', 'v1', { name: 'p', key: x, ref: [p] }],
  ['a partial object', 'p[x] := 1 if x := 1', 'v1', { name: 'p', key: x, value: one, assign: true, ref: [p, x] }],
  ['a key of an object', 'p[x] if x := 1', 'v1', { key: x, value: yes, ref: [p, x] }],
  ['a key after a space', 'p [x] if x := 1', 'v1', { key: x, value: yes, ref: [p, x] }],
  ['a key on the next line', 'p\n[x] := 1 if x := 1', 'v1', { name: 'p', key: x, value: one, assign: true, ref: [p, x] }],
  ['a key of a set after a space', 'p [x] { x := 1 }', 'v0', { name: 'p', key: x, ref: [p] }],
  ['a key and a value after spaces', 'p\t\n[x] = 1 { x := 1 }', 'v0', { name: 'p', key: x, value: one, ref: [p, x] }],
  ['a partial set of version 0', 'p[x] { x := 1 }', 'v0', { name: 'p', key: x, ref: [p] }],
  ['a partial object of version 0', 'p[x] = 1 { x := 1 }', 'v0', { name: 'p', key: x, value: one, ref: [p, x] }],
  ['a function', 'p(x) := x', 'v1', { name: 'p', args: [x], value: x, assign: true, ref: [p] }],
  ['a path', 'p.q.r := 1', 'v1', { value: one, assign: true, ref: [p, { type: 'string', value: 'q' }, { type: 'string', value: 'r' }] }],
] as const)('the head of %s', (_title, text, version, expected) => expect(head(text, version)).toEqual(expected));

test.each([
  ['relations bind less than arithmetic', 'a + 1 == b * 2 - 3', 'equal(plus(a, 1), minus(mul(b, 2), 3))'],
  ['`&` binds closer than `|`', 'x == a | b & c', 'equal(x, or(a, and(b, c)))'],
  ['operators of one level go to the left', 'a - b - c == 0', 'equal(minus(minus(a, b), c), 0)'],
  ['`in` binds least', 'a == b in c', 'internal.member_2(equal(a, b), c)'],
  ['a pair before `in` is a key and a value', '(k, v in c) == true', 'equal(internal.member_3(k, v, c), true)'],
  ['parentheses group', '(a + b) * c == 1', 'equal(mul(plus(a, b), c), 1)'],
  ['a minus before a name is a subtraction from nothing', '-a == 1', 'equal(minus(0, a), 1)'],
])('%s', (_title, text, expected) => {
  const term = parseTerm(text);
  expect(printTerm(term)).toBe(expected);
});

test('a line break ends an expression, an operator on the next line goes on', () => {
  expect(parseQuery('x = 1\ny = 2')).toHaveLength(2);
  const body = rule('p if {\n\ta\n\tb\n\t+ c == 1\n}').body;
  expect(body).toHaveLength(2);
});

test('wildcards are different variables', () => {
  const names = new Set<string>();
  walk(rule('p if a[_] == b[_]'), (node) => {
    if (node.type === 'var' && node.name.startsWith('$')) names.add(node.name);
  });
  expect(names.size).toBe(2);
});

test('numbers keep their text', () => {
  const term = parseTerm('[1.10, 12345678901234567890, 1e3]');
  expect(term.type === 'array' && term.items.map((item) => (item.type === 'number' ? item.text : ''))).toEqual([
    '1.10',
    '12345678901234567890',
    '1e3',
  ]);
});

test('spans are those of the text', () => {
  const texts: string[] = [];
  walk(rule('p := f(a.b[0], "c") + 1 if not x'), (node) => {
    if (node.type === 'ref' || node.type === 'call' || node.type === 'expr' || node.type === 'head') texts.push(node.loc.text);
  });
  expect(texts).toEqual(['p := f(a.b[0], "c") + 1', 'f(a.b[0], "c") + 1', '+', 'f(a.b[0], "c")', 'f', 'a.b[0]', 'not x']);
});

test('keywords come with the import, from there on', () => {
  const module = parseModule('m.rego', 'package m\nin = 1\nimport future.keywords.in\np { 1 in [1] }', { regoVersion: 'v0' });
  expect(module.rules.map((each) => each.head.name)).toEqual(['in', 'p']);
  expect(module.regoVersion).toBe('v0');
  expect(parseModule('m.rego', 'package m\nimport rego.v1', { regoVersion: 'v0' }).regoVersion).toBe('v0v1');
});

test.each(['and', 'or'])('%s names the function in a call behind contains, where the word is a keyword', (word) => {
  const module = parseModule('m.rego', `package m\nimport future.keywords.${word}\np contains ${word}({1}, {2})`);
  expect(module.rules[0]!.head.key).toMatchObject({ type: 'call', operator: { terms: [{ name: word }] } });
});

/** The kinds of expressions in the body of the only rule. */
function kindsOf(imports: string, body: string, version: 'v0' | 'v1' = 'v1'): unknown[] {
  const text = `package m\n${imports}\np ${version === 'v1' ? 'if ' : ''}{ ${body} }`;
  return parseModule('m.rego', text, { regoVersion: version }).rules[0]!.body.map(({ kind, negated }) =>
    negated ? `negated ${kind}` : kind,
  );
}

test.each([
  ['future.keywords', 'not upper(input.x) == "X"', ['negated call']],
  ['future.keywords', 'not f(input.x) or not input.y', ['or']],
  ['future.keywords', 'input.a and input.b', ['and']],
  ['future.keywords.or', 'input.a or input.b', ['or']],
  ['future.keywords.and', 'input.a and input.b', ['and']],
  ['future.keywords.not', 'not upper(input.x) == "X"', ['not']],
  ['future.keywords\nimport future.keywords.not', 'not input.x; not { input.y }', ['not', 'not']],
] as const)('under `import %s`: %s', (path, body, kinds) => {
  for (const version of ['v0', 'v1'] as const) expect(kindsOf(`import ${path}`, body, version)).toEqual(kinds);
});

test('a negation of the wildcard import has one expression', () => {
  expect(rejection(() => kindsOf('import future.keywords', 'not { input.x; input.y }')).diagnostics[0]?.code).toBe('rego_parse_error');
  expect(rejection(() => kindsOf('import future.keywords', 'not (input.x or input.y)')).diagnostics[0]?.code).toBe('rego_parse_error');
});

test.each(['or(x) := x', 'or(x) if x == 1 or x == 2', 'and(x) := x', 'a := 1\n\nor(x) := x', 'a if input.x\nor(x) if { x and input.y }'])(
  'a function has the name of a keyword: %s',
  (rules) => {
    const { rules: found } = parseModule('m.rego', `package m\nimport future.keywords\n${rules}`);
    expect(found.at(-1)!.head).toMatchObject({ name: rules.includes('and(') ? 'and' : 'or', args: [{ name: 'x' }] });
  },
);

test('an operator may begin a line', () => {
  expect(kindsOf('import future.keywords', 'input.x\nor(input.y)\nor (input.z)')).toEqual(['or']);
});

test.each(['', 'import rego.v1'])('without an import `or` and `and` are names: %j', (line) => {
  expect(parseModule('m.rego', `package m\n${line}\nor := 1\nand := 2`).rules.map(({ head }) => head.name)).toEqual(['or', 'and']);
  expect(rejection(() => parseModule('m.rego', 'package m\nimport future.keywords\nor := 1')).message).toContain('rego_parse_error');
});

test('a capability that is missing is an error', () => {
  const capabilities = { future_keywords: [], features: ['rego_v1'] };
  expect(rejection(() => parseModule('m.rego', 'package m\np := $"{1}"', { capabilities })).message).toContain(
    'not supported by current capabilities',
  );
  expect(rejection(() => parseModule('m.rego', 'package m\nimport future.keywords.or', { capabilities })).message).toContain(
    'must be one of',
  );
});

test('all complaints about rules are reported, up to a given limit', () => {
  const text = `package m\n${'p { true }\n'.repeat(20)}`;
  const { diagnostics, message } = rejection(() => parseModule('m.rego', text));
  expect(diagnostics).toHaveLength(20);
  expect(message).toMatch(/^20 errors occurred:\nm\.rego:2: rego_parse_error: `if` keyword/);
  const limited = rejection(() => parseModule('m.rego', text, { errorLimit: 10 })).diagnostics;
  expect(limited).toHaveLength(11);
  expect(limited.at(-1)?.message).toBe('error limit reached');
});

describe('a long module', () => {
  const padding = `# ${'x'.repeat(20_000)}\n`;
  const outcome = (read: () => Module): unknown => {
    try {
      return moduleToJson(read());
    } catch (error) {
      if (!(error instanceof CompileErrors)) throw error;
      return error.message;
    }
  };

  test.each([
    'package p\n\nimport data.q\n\nr if q.x\n',
    'package p\n\n# METADATA\n# title: one\nr := 1\n',
    `package p\n\n${Array.from({ length: 3000 }, (_, i) => `r${i} := {"a": [${i}]}`).join('\n')}\n`,
    `package p\n\n${Array.from({ length: 3000 }, (_, i) => `r${i} := {"a": [${i}]}`).join('\n')}\n}`,
    `package p\n\n${Array.from({ length: 3000 }, (_, i) => `r${i} { x }`).join('\n')}\n`,
    'package p\n\nr := [',
    'r := 1',
    '',
    'package p\npackage q\n',
    'package p\n\nx := "',
  ])('is read in steps as it is at once: %.40s', (text) => {
    for (const regoVersion of ['v0', 'v1'] as const) {
      const options = { regoVersion };
      expect(outcome(() => allAtOnce(parseModuleSteps('m.rego', padding + text, options)))).toEqual(
        outcome(() => parseModule('m.rego', padding + text, options)),
      );
    }
  });

  test('gives others many turns, also others that are read meanwhile', () => {
    const rules = Array.from({ length: 3000 }, (_, i) => `r${i} := {"a": [${i}]}`);
    const steps = parseModuleSteps('m.rego', `package p\n\n${rules.join('\n')}\n`);
    let turns = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      turns++;
      expect(parseModule('n.rego', 'package n\n\nx := 1\n').rules).toHaveLength(1);
    }
    expect(turns).toBeGreaterThan(10);
    expect(step.value.rules).toHaveLength(3000);
  });

  const items = 20_000;
  const entries = (entry: (i: number) => string) => Array.from({ length: items }, (_, i) => `# - ${entry(i)}\n`).join('');
  test.each([
    ['schemas', `# schemas:\n${entries((i) => `input.a${i}: schema.b`)}`],
    ['authors', `# authors:\n${entries((i) => `ann${i} <a@b>`)}`],
    ['related resources', `# related_resources:\n${entries((i) => `https://a/${i}`)}`],
    ['unknowns', `# compile:\n#   unknowns:\n${entries((i) => `input.a${i}`).replaceAll('# -', '#   -')}`],
    ['custom values', `# custom:\n#   l:\n${entries((i) => `{a: ${i}}`).replaceAll('# -', '#   -')}`],
  ])('gives others turns while long lists of metadata are read: %s', (_title, fields) => {
    const count = (text: string) => {
      const steps = parseModuleSteps('m.rego', text);
      let turns = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) turns++;
      return { turns, annotations: step.value.annotations.length };
    };
    // The comments themselves are read in steps, too.
    const { turns } = count(`package p\n\n# x\n${fields}p := 1\n`);
    const read = count(`package p\n\n# METADATA\n${fields}p := 1\n`);
    expect(read.annotations).toBe(1);
    expect(read.turns).toBeGreaterThan(turns + 5);
  });
});

describe('a statement from a client', () => {
  const long = 'a'.repeat(90_000);
  const path = '.a'.repeat(200);
  test.each([
    ['a string', `package p\n\nx := "${long}"`, '3: rego_parse_error: string is too long'],
    ['a string that is not closed', `package p\n\nx := "${long}`, '3: rego_parse_error: string is too long'],
    ['a raw string', `package p\n\nx := \`${long}\n\``, '3: rego_parse_error: string is too long'],
    ['a raw string that is not closed', `package p\n\nx := \`${long}`, '3: rego_parse_error: string is too long'],
    ['a template', `package p\n\nx := $"{1}${long}"`, '3: rego_parse_error: string is too long'],
    ['a raw template', `package p\n\nx := $\`${long}{1}\``, '3: rego_parse_error: string is too long'],
    ['a name', `package p\n\nx := ${long}`, '3: rego_parse_error: statement has more than 80000 characters'],
    ['several strings', `package p\n\nx := ["${long.slice(20_000)}", "${long.slice(20_000)}"]`, 'statement has more than 80000 characters'],
    ['a package', `package p${path}\n\nx := 1`, '1: rego_parse_error: path has more than 100 segments'],
    ['a rule', `package p\n\nx${path} := 1`, '3: rego_parse_error: path has more than 100 segments'],
    [
      'metadata',
      `package p\n\n# METADATA\n# custom:\n${'#  - {a: 1}\n'.repeat(2000)}x := 1`,
      '3: rego_parse_error: METADATA block has more than 16000 characters',
    ],
  ])('is bounded: %s', (_title, text, message) => {
    const { message: found } = rejection(() => parseModule('m.rego', text, { maxStatementTokens: 1000 }));
    expect(found).toContain(message);
    expect(found.length).toBeLessThan(100_000);
  });

  test('may be as long as it likes without a bound', () => {
    const text = `package p${path}\n\n# METADATA\n# title: ${long}\nx${path} := "${long}"`;
    expect(parseModule('m.rego', text).rules).toHaveLength(1);
  });

  test('shows a part of a long line', () => {
    const text = `package p\n\nx := "${'a'.repeat(1_000_000)}`;
    expect(rejection(() => parseModule('m.rego', text)).message.length).toBeLessThan(100_000);
  });
});

test('a long block of metadata without aliases is read', () => {
  const items = Array.from({ length: 50_000 }, () => '#   - {a: 1}').join('\n');
  const module = parseModule('t.rego', `package t\n\n# METADATA\n# custom:\n#   l:\n${items}\np := 1`);
  expect(module.annotations).toHaveLength(1);
});

test.each(['in [1]', 'p ["a"]', 'p\n["a"]'])('a name and a term apart from it are no rule without a body: %j', (text) => {
  expect(rejection(() => parseModule('m.rego', `package m\n\n${text}\n`, { regoVersion: 'v0' })).message).toContain(
    'cannot be used for rule name',
  );
});
