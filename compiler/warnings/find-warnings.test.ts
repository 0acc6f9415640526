import { expect, test } from 'vitest';
import type { PlainObject } from '../../values/value.js';
import { compileOrThrow } from '../pipeline.js';
import { recompile } from '../recompile.js';
import { parseModule } from '../syntax/parse.js';
import { findWarnings } from './find-warnings.js';
import type { WarningScope } from './warning-scope.js';

type Files = Readonly<Record<string, string>>;

const authz = 'package authz\n\ndefault allow := false\n\nallow if input.user == "ann"\n';

/** The warnings as lines: the place, the code, and the message. */
function warned(files: Files, scope: WarningScope = {}): string[] {
  const modules = new Map(Object.entries(files).map(([name, text]) => [name, parseModule(name, text)]));
  return findWarnings(compileOrThrow({ modules }), scope).map(
    ({ location: { file, row, col }, code, message }) => `${file}:${row}:${col} ${code} ${message}`,
  );
}

/** A package `p` with a rule that reads something, beside the package `authz`. */
const reading = (body: string): Files => ({ 'authz.rego': authz, 'p.rego': `package p\n\nq if ${body}\n` });

test.each([
  ['a rule of a package', 'data.authz.alow', '3:17', '`data.authz.alow`: no rule or document has this name; did you mean `allow`?'],
  ['a package', 'data.auth.allow', '3:11', '`data.auth.allow`: no rule or document has this name; did you mean `authz`?'],
  ['a document', 'data.roles[input.role]', '3:11', '`data.roles`: no rule or document has this name'],
  ['a name in brackets', 'data["auth"].allow', '3:11', '`data.auth.allow`: no rule or document has this name; did you mean `authz`?'],
  [
    'a rule of another package',
    'data.p.allow',
    '3:13',
    '`data.p.allow`: no rule or document has this name; did you mean `data.authz.allow`?',
  ],
  ['an operand', 'data.authz.alow == true', '3:17', '`data.authz.alow`: no rule or document has this name; did you mean `allow`?'],
  [
    'a closure',
    'count([x | x := data.authz.alow]) == 0',
    '3:33',
    '`data.authz.alow`: no rule or document has this name; did you mean `allow`?',
  ],
])('a ref to %s that nothing has is told', (_title, body, place, message) =>
  expect(warned(reading(body))).toEqual([`p.rego:${place} unresolved-reference ${message}`]),
);

const alow = '`data.authz.alow`: no rule or document has this name; did you mean `allow`?';

test.each([
  ['a variable', 'q if {\n\tk := "alow"\n\tdata.authz[k]\n}', '5:13', alow],
  ['a variable under not', 'q if {\n\tk := "alow"\n\tnot data.authz[k]\n}', '5:17', alow],
  ['a variable of a closure', 'q := [1 |\n\tk := "alow"\n\tdata.authz[k]\n]', '5:13', alow],
  ['a variable outside of a closure', 'q := [1 | data.authz[k]] if k := "alow"', '3:22', alow],
  ['a variable in the middle', 'q if {\n\tk := "auth"\n\tdata[k].allow\n}', '5:7', 'auth'],
  ['a rule', 'k := "alow"\nq if data.authz[k]', '4:17', alow],
  ['a rule with a body', 'k := "alow" if input.x\nq if data.authz[k] == 1', '4:17', alow],
  ['an operand', 'q if {\n\tk := "alow"\n\tcount(data.authz[k]) > 1\n}', '5:19', alow],
])('a key that %s makes one name, which nothing has, is told', (_title, rules, place, message) => {
  const found = warned({ 'authz.rego': authz, 'p.rego': `package p\n\n${rules}\n` });
  expect(found).toEqual([expect.stringContaining(`p.rego:${place} unresolved-reference`)]);
  expect(found[0]).toContain(message);
});

test.each([
  ['a variable that is one of several', 'q if {\n\tsome k in ["alow", "allow"]\n\tdata.authz[k]\n}'],
  ['a variable that is the name of a rule', 'q if {\n\tk := "allow"\n\tdata.authz[k]\n}'],
  ['a parameter', 'f(k) if data.authz[k]'],
  ['a rule with two values', 'k := "alow" if input.x\nk := "allow" if input.y\nq if data.authz[k]'],
  ['a rule with a default', 'default k := "alow"\nk := "allow" if input.y\nq if data.authz[k]'],
  ['a rule that a test replaces', 'k := "alow"\nq if data.authz[k]\ntest_q if q with data.p.k as "allow"'],
  ['a variable of another closure', 'q if {\n\tcount([1 | k := "alow"; k == input.k]) == 0\n\tk := "allow"\n\tdata.authz[k]\n}'],
  ['a comparison in a closure', 'f(k) if {\n\tcount([1 | k = "alow"]) == 0\n\tdata.authz[k]\n}'],
])('a key that is %s is not told', (_title, rules) =>
  expect(warned({ 'authz.rego': authz, 'p.rego': `package p\n\n${rules}\n` })).toEqual([]),
);

test.each([
  ['a rule', 'data.authz.allow'],
  ['a package', 'count(data.authz) == 1'],
  ['any package', 'data[input.name].alow'],
  ['all of data', 'data[_].alow'],
  ['what `with` gives', 'data.roles[input.role] with data.roles as {"a": 1}'],
  ['what `with` gives a part of', 'data.roles.a with data.roles.a as 1'],
  ['what `with` gives above', 'data.roles.a with data.roles as {"a": 1}'],
  ['what a host gives', 'data.inventory.cluster.v1'],
])('a ref to %s is not told', (_title, body) => expect(warned(reading(body))).toEqual([]));

test.each<[string, PlainObject, string[]]>([
  ['a document', { roles: { admin: [] } }, []],
  ['a document without the key', { roles: { viewer: [] } }, []],
  [
    'a document with a key that is alike',
    { roles: { admins: [] } },
    ['p.rego:3:17 unresolved-reference `data.roles.admin`: no rule or document has this name; did you mean `admins`?'],
  ],
])('with %s', (_title, documents, lines) => expect(warned(reading('data.roles.admin'), { documents })).toEqual(lines));

const roles = { admin: {} };
const reader = 'package app\n\nallow if data.roles.admin[input.user]\n';

test.each<[string, string, PlainObject, string, string]>([
  [
    'a document that the policy reads',
    'data.rolez.admin as {"eve"}',
    {},
    '3:36',
    '`data.rolez`: no rule or document has this name; did you mean `roles`?',
  ],
  ['a part of it', 'data.roles.amin as {"eve"}', {}, '3:42', '`data.roles.amin`: no rule or document has this name; did you mean `admin`?'],
  ['a rule', 'data.app.alow as true', {}, '3:40', '`data.app.alow`: no rule or document has this name; did you mean `allow`?'],
  [
    'a document that is there',
    'data.users.anm as 1',
    { users: { ann: 1 } },
    '3:42',
    '`data.users.anm`: no rule or document has this name; did you mean `ann`?',
  ],
])('a with whose name only is like %s is told', (_title, modifier, documents, place, message) => {
  const files = { 'app.rego': reader, 'app_test.rego': `package app_test\n\ntest_a if data.app.allow with ${modifier}\n` };
  expect(warned(files, { documents: { roles, ...documents } })).toEqual([`app_test.rego:${place} unresolved-reference ${message}`]);
});

test.each<[string, WarningScope]>([
  ['data.roles as {}', {}],
  ['data.roles.admin as {}', {}],
  ['data.elsewhere as 1', {}],
  ['data.roles.admin.eve as 1', {}],
  ['data.rolez as 1', { known: ['data.rolez'] }],
  ['data.rolez as 1', { elsewhere: () => 'other.rego' }],
  ['data.rolez as 1', { isMentioned: (name) => name === 'rolez' }],
  ['data.rolez as 1', { documents: { roles: { admin: {} }, rolez: 1 } }],
])('a with of something else is not told: %s with %j', (modifier, scope) => {
  const files = { 'app.rego': reader, 'app_test.rego': `package app_test\n\ntest_a if data.app.allow with ${modifier}\n` };
  expect(warned(files, { documents: { roles }, ...scope })).toEqual([]);
});

test('a with is not told where keys of the input choose what is read', () => {
  const test = 'package app_test\n\ntest_a if data.app.x with data.roles.amin as 1\n';
  expect(warned({ 'app.rego': `${reader}\nx := data.roles[input.k]\n`, 'app_test.rego': test }, { documents: { roles } })).toEqual([]);
});

const bad = 'k := "[a"';

test.each([
  ['a document of the input with the path of a rule', { 'p.rego': `package p\n\n${bad}\n\nq if glob.match(input.p.k, [], input.x)\n` }],
  [
    'a variable of a built-in with the path of a rule',
    { 'p.rego': `package p\n\n${bad}\n\nq if {\n\tx := opa.runtime()\n\tglob.match(x.p.k, [], input.x)\n}\n` },
  ],
  [
    'a variable of another module',
    {
      'a.rego': 'package a\n\nk := x if x := input.p\n',
      'p.rego': 'package p\n\nq if {\n\tx := "[a"\n\tcontains(input.s, x)\n\tglob.match(data.a.k, [], input.x)\n}\n',
    },
  ],
  [
    'a key of the input with the path of a rule',
    { 'authz.rego': authz, 'p.rego': 'package p\n\nk := "alow"\n\nq if {\n\tx := input.p.k\n\tdata.authz[x]\n}\n' },
  ],
])('%s is no constant', (_title, files) => expect(warned(files)).toEqual([]));

test('one of a row of numbered names is not meant by another', () => {
  expect(warned(reading('data.zone2.x'), { documents: { zone1: {} } })).toEqual([
    'p.rego:3:11 unresolved-reference `data.zone2.x`: no rule or document has this name',
  ]);
});

test.each<[string, WarningScope]>([
  ['a name of the configuration', { known: ['data.roles'] }],
  ['any name below one', { known: ['data.*'] }],
  ['a name outside of the roots', { roots: ['authz', 'p'] }],
  ['a root of the bundle', { roots: ['authz', 'roles'], known: ['data.roles'] }],
  ['a name that others have', { isPart: true, elsewhere: ([name]) => (name === 'roles' ? 'roles.json' : undefined) }],
  ['a code that is silent', { silent: [{ code: 'unresolved-reference' }] }],
  ['a code that is silent in the file', { silent: [{ code: 'unresolved-reference', inFile: (file) => file === 'p.rego' }] }],
])('%s is not told', (_title, scope) => expect(warned(reading('data.roles.admin'), scope)).toEqual([]));

test('a code that is silent in another file is told', () => {
  const silent = [{ code: 'unresolved-reference', inFile: (file: string) => file === 'authz.rego' }];
  expect(warned(reading('data.roles.admin'), { silent })).toHaveLength(1);
});

test('an import of nothing is told, and its uses are not', () => {
  const files = {
    'authz.rego': authz,
    'p.rego': 'package p\n\nimport data.auth\nimport data.authz\n\nq if auth.allow\n\nr if authz.alow\n',
  };
  expect(warned(files)).toEqual([
    'p.rego:3:8 unresolved-import `data.auth`: no package, rule or document has this name; did you mean `authz`?',
    'p.rego:8:12 unresolved-reference `data.authz.alow`: no rule or document has this name; did you mean `allow`?',
  ]);
});

test('metadata makes documents known', () => {
  const text = 'package p\n\n# METADATA\n# scope: rule\n# schemas:\n#   - data.users: {type: object}\nq if data.users.ann\n';
  expect(warned({ 'p.rego': text })).toEqual([]);
});

test.each([
  ['on its line', 'q if data.roles.a # writ:ignore unresolved-reference'],
  ['on the line above', '# writ:ignore unresolved-reference\nq if data.roles.a'],
  ['without a code', 'q if data.roles.a # writ:ignore'],
  ['among several codes', '# writ:ignore unresolved-import, unresolved-reference\nq if data.roles.a'],
  ['with a reason', '# writ:ignore unresolved-reference -- loaded by the deployment\nq if data.roles.a'],
])('a comment %s silences a warning', (_title, rule) => expect(warned({ 'p.rego': `package p\n\n${rule}\n` })).toEqual([]));

test.each([
  ['of another code', '# writ:ignore unresolved-import\nq if data.roles.a'],
  ['two lines above', '# writ:ignore\n\nq if data.roles.a'],
  ['behind the line above', 'r := 1 # writ:ignore\nq if data.roles.a'],
  ['that only begins so', '# writ:ignored\nq if data.roles.a'],
])('a comment %s silences nothing', (_title, rule) => expect(warned({ 'p.rego': `package p\n\n${rule}\n` })).toHaveLength(1));

const unused = (place: string, name: string, ref: string, meant?: string) =>
  `p.rego:${place} unused-output-variable \`${name}\` is used only here: \`${ref}[${name}]\` is any member of \`${ref}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`;

test.each([
  ['like a variable', 'q if {\n\trole := input.role\n\tinput.roles[rol]\n}', unused('5:14', 'rol', 'input.roles', 'role')],
  ['like a parameter', 'q(user) if input.users[usr].admin; true', unused('3:24', 'usr', 'input.users', 'user')],
  ['like no other', 'q if input.grants[role].admin', unused('3:19', 'role', 'input.grants')],
  ['in a comprehension', 'q := count([1 | input.grants[role].admin])', unused('3:30', 'role', 'input.grants')],
  ['in an else branch', 'q := 1 if input.a else := 2 if input.grants[role]', unused('3:45', 'role', 'input.grants')],
])('a variable that stands once as a key is told: %s', (_title, rule, line) =>
  expect(warned({ 'p.rego': `package p\n\n${rule.replace('; true', '')}\n` })).toEqual([line]),
);

test.each([
  ['used again', 'q if {\n\tinput.grants[role].admin\n\trole != "x"\n}'],
  ['used in the head', 'q contains role if input.grants[role].admin'],
  ['a key of the head', 'q[role] := 1 if input.grants[role].admin'],
  ['declared', 'q if {\n\tsome role\n\tinput.grants[role].admin\n}'],
  ['a parameter', 'q(role) if input.grants[role].admin'],
  ['a parameter of an else branch', 'q(role) := 1 if role == 1 else := 2 if input.grants[role].admin'],
  ['a rule', 'q if input.grants[role].admin\n\nrole := 1'],
  ['an import', 'import input.role\n\nq if input.grants[role].admin'],
  ['a wildcard', 'q if input.grants[_].admin'],
  ['a name for loops', 'q if input.grants[i].admin\n\nr if input.grants[idx].admin'],
])('a key is not told that is %s', (_title, rule) => expect(warned({ 'p.rego': `package p\n\n${rule}\n` })).toEqual([]));

test('version 0 writes loops with variables that stand once', () => {
  const rules = 'deny[msg] { container := input.containers[num]; msg := container.name }\n\nr { role := input.role; input.roles[rol] }\n';
  const module = parseModule('p.rego', `package p\n\n${rules}`, { regoVersion: 'v0' });
  const found = findWarnings(compileOrThrow({ modules: new Map([['p.rego', module]]) }));
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('did you mean `role`?')]);
});

test.each([
  ['a key', 'q := {}\nr if q.a', '4:6', 'data.p.q'],
  ['a key of a part', 'q := {"a": {"b": []}}\nr if some x in q.a.b', '4:16', 'data.p.q.a.b'],
  ['a negated key', 'q := set()\nr if not q[input.x]', '4:10', 'data.p.q'],
  ['a loop', 'q := []\nr contains x if x := q[_]', '4:22', 'data.p.q'],
  ['a loop in a comprehension', 'default q := []\nr := [x | some x in q]', '4:21', 'data.p.q'],
  ['a member', 'r if 1 in set()', '3:11', 'set()'],
  ['a member of a rule', 'q := []\nr if count(input.x) in q', '4:24', 'q'],
  ['a result', 'f(_) := []\nr if f(1)[0]', '4:6', 'f(1)'],
])('%s of a collection that is always empty is told', (_title, rules, place, collection) => {
  const message = `\`${collection}\` is always empty: nothing is found in it`;
  expect(warned({ 'p.rego': `package p\n\n${rules}\n` })).toEqual([`p.rego:${place} empty-collection ${message}`]);
});

test.each([
  ['a loop over a literal', 'r if some x in []'],
  ['a question whether it is empty', 'q := []\nr if count(q) == 0'],
  ['a collection with another definition', 'default q := []\nq := input.q\nr if q[0]'],
  ['a collection that a test fills', 'q := []\nr if q[0]\ntest_r if r with data.p.q as [1]'],
  ['a collection below what a test gives', 'q := {"a": {}}\nr if q.a.b\ntest_r if r with q as {"a": {"b": 1}}'],
  ['a line with a comment', 'q := []\nr if q[0] # writ:ignore empty-collection'],
])('%s is not told', (_title, rules) => expect(warned({ 'p.rego': `package p\n\n${rules}\n` })).toEqual([]));

test('a collection that a changed module fills is told no more', () => {
  const modules = (q: string) =>
    new Map(
      Object.entries({ 'a.rego': `package a\nq := ${q}`, 'b.rego': 'package b\nr if data.a.q[0]' }).map(([name, text]) => [
        name,
        parseModule(name, text),
      ]),
    );
  const before = compileOrThrow({ modules: modules('[]') });
  expect(findWarnings(before).map(({ code }) => code)).toEqual(['empty-collection']);
  const after = recompile(before, new Map([['a.rego', modules('[1]').get('a.rego')!]]));
  expect(findWarnings(after)).toEqual([]);
});

const lone = (place: string, text: string) => `p.rego:${place} lone-default ${text}`;

test.each([
  ['alone', 'default allow := false', ['`allow` has a default and no rule: it is always false']],
  [
    'beside a name that is like it',
    'default allow := false\n\nalow if input.a',
    ['`allow` has a default and no rule: it is always false; did you mean `alow`?'],
  ],
  ['of a function', 'default f(_) := 1', ['`f` has a default and no function: it is always 1']],
])('a default without a rule is told: %s', (_title, rules, lines) =>
  expect(warned({ 'p.rego': `package p\n\n${rules}\n` })).toEqual(lines.map((text) => lone('3:1', text))),
);

test.each<[string, Files]>([
  ['its rule in another file', { 'p.rego': 'package p\n\ndefault a := 1\n', 'q.rego': 'package p\n\na := 2 if input.b\n' }],
  ['a value by `with`', { 'p.rego': 'package p\n\ndefault a := 1\n', 't.rego': 'package t\n\nx if data.p.a == 2 with data.p.a as 2\n' }],
  ['a function', { 'p.rego': 'package p\n\ndefault f(_) := 1\n\nf(x) := 2 if x == 1\n' }],
  ['an else', { 'p.rego': 'package p\n\ndefault a := 1\n\na := 2 if input.b else := 3 if input.c\n' }],
])('a default with %s is not told', (_title, files) => expect(warned(files)).toEqual([]));

test('an entrypoint of a package without rules is told', () => {
  const text = '# METADATA\n# entrypoint: true\npackage p\n';
  expect(warned({ 'p.rego': text })).toEqual(['p.rego:1:1 unresolved-entrypoint the entrypoint `data.p` has no rule']);
  expect(warned({ 'p.rego': text, 'q.rego': 'package p.q\n\nx := 1\n' })).toEqual([]);
});

test.each([
  ['tset_a', 'test_a'],
  ['tets_a', 'test_a'],
  ['tes_a', 'test_a'],
  ['ttest_a', 'test_a'],
  ['Test_a', 'test_a'],
  ['tests_a', 'test_a'],
  ['testAdmin', 'test_Admin'],
  ['todo_test_a', undefined],
  ['test_a', undefined],
  ['best_a', undefined],
  ['text_a', undefined],
  ['rest_a', undefined],
  ['latest', undefined],
])('a rule %s among tests is meant as %s', (name, meant) => {
  const lines =
    meant === undefined ? [] : [`p_test.rego:3:1 misnamed-test \`${name}\` is no test, and nothing reads it; did you mean \`${meant}\`?`];
  expect(warned({ 'p_test.rego': `package p_test\n\n${name} if input.a\n` })).toEqual(lines);
});

test.each([
  ['that a test reads', { 'p_test.rego': 'package p_test\n\ntest_b if tes_a\n\ntes_a if input.a\n' }],
  ['that is no test file', { 'p.rego': 'package p\n\ntes_a if input.a\n' }],
  ['that is a function', { 'p_test.rego': 'package p_test\n\ntes_a(x) if x\n' }],
])('a rule %s is not told as a test', (_title, files) => expect(warned(files as Files)).toEqual([]));
