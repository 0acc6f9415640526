import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withFiles } from '../../../test/harness/command.js';
import type { RegoOptions } from './options.js';
import { Project } from './project.js';
import type { RegoOutcome } from './rego-module.js';

const authz = 'package authz\n\ndefault allow := false\n\nallow if input.user in data.admins\n';

function outcomeOf(directory: string, options: RegoOptions = {}, file = 'authz.rego'): RegoOutcome {
  return new Project(directory, options).module(join(directory, file), { format: 'es' });
}

let count = 0;

async function load(directory: string, { module, problems }: RegoOutcome): Promise<Record<string, (input?: unknown) => unknown>> {
  expect(problems).toEqual([]);
  const path = join(directory, `${count++}.mjs`);
  writeFileSync(path, module!.text);
  return (await import(pathToFileURL(path).href)) as Record<string, (input?: unknown) => unknown>;
}

function put(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

describe('a policy file is the module of its package, with', () => {
  test('other files of its package and of packages that they refer to, and no others', async () => {
    const files = {
      'authz.rego': 'package authz\n\nimport data.lib.roles\n\nallow if roles.isAdmin(input.user)\n\ndirect := data.deep.down.value\n',
      'sub/more.rego': 'package authz\n\nmore := data.other.x\n',
      'lib/roles.rego': 'package lib.roles\n\nisAdmin(user) if user in {"ann"}\n',
      'lib/down.rego': 'package deep.down\n\nvalue := 1\n',
      'lib/other.rego': 'package other\n\nx := 2\n',
      'broken.rego': 'package unrelated\n\nx := (\n',
      'conflict.rego': 'package elsewhere\n\nx := 1\nx := 2\n',
      'authz_test.rego': 'package authz\n\nx := (\n',
      '.hidden/authz.rego': 'package authz\n\nx := (\n',
      'node_modules/p/authz.rego': 'package authz\n\nx := (\n',
    };
    await withFiles(files, async (directory) => {
      const outcome = outcomeOf(directory);
      const module = await load(directory, outcome);
      expect([module.allow!({ user: 'ann' }), module.direct!(), module.more!(), module.x]).toEqual([true, 1, 2, undefined]);
      const read = outcome.files.map((path) => relative(directory, path)).sort();
      expect(read).toEqual([
        'authz.rego',
        'broken.rego',
        'conflict.rego',
        'lib/down.rego',
        'lib/other.rego',
        'lib/roles.rego',
        'sub/more.rego',
      ]);
      expect(outcome.folders.map((path) => relative(directory, path)).sort()).toEqual(['', 'lib', 'sub']);
    });
  });

  test('policies of folders that the options name', async () => {
    const files = {
      'app/authz.rego': 'package authz\n\nallow if data.roles.admin\n',
      'shared/roles.rego': 'package roles\n\nadmin := true\n',
    };
    await withFiles(files, async (directory) => {
      const alone = await load(directory, outcomeOf(directory, {}, 'app/authz.rego'));
      const both = await load(directory, outcomeOf(directory, { policies: ['app', 'shared'] }, 'app/authz.rego'));
      expect([alone.allow!(), both.allow!()]).toEqual([undefined, true]);
    });
  });

  test('data of files, of folders and of the options', async () => {
    const files = {
      'authz.rego': authz,
      'data/x/data.yaml': 'y: [1]',
      'data/admins.json': '{"admins": ["ann"]}',
      'own.json': '{"admins": ["bob"]}',
    };
    await withFiles(files, async (directory) => {
      const decide = async (data: RegoOptions['data']) => {
        const { allow } = await load(directory, outcomeOf(directory, { data }));
        return ['ann', 'bob', 'eve'].filter((user) => allow!({ user }));
      };
      expect(await decide(undefined)).toEqual([]);
      expect(await decide('data')).toEqual(['ann']);
      expect(await decide(['own.json', 'data/x'])).toEqual(['bob']);
      expect(await decide({ admins: ['eve'] })).toEqual(['eve']);
    });
  });

  test('declarations by schemas', async () => {
    const files = {
      'authz.rego': '# METADATA\n# schemas:\n#   - input: schema.request\npackage authz\n\nallow if input.user == "ann"\n',
      'schemas/request.json': '{"type": "object", "required": ["user"], "properties": {"user": {"enum": ["ann", "bob"]}}}',
    };
    await withFiles(files, async (directory) => {
      outcomeOf(directory, { schemas: 'schemas', types: true });
      const written = readFileSync(join(directory, 'authz.d.rego.ts'), 'utf8');
      expect(written).toContain('"ann" | "bob"');
      expect(written).toMatch(/^export declare function allow\b/m);
    });
  });

  const users = { type: 'object', required: ['user'], properties: { user: { enum: ['ann', 'bob'] } } };
  const standard = (document: object) => ({ '~standard': { jsonSchema: { input: () => document } } });
  test.each<[string, RegoOptions['schemas'], string]>([
    ['a JSON Schema of the input', { input: users }, ''],
    ['a schema of a library', { input: standard(users) }, ''],
    ['a schema of a library that is a function', { input: Object.assign(() => undefined, standard(users)) }, ''],
    ['a schema that annotations name', { request: users }, '# METADATA\n# schemas:\n#   - input: schema.request\n'],
  ])('declarations by %s', async (_title, schemas, annotation) => {
    await withFiles({ 'authz.rego': `${annotation}package authz\n\nallow if input.user == "ann"\n` }, async (directory) => {
      expect(outcomeOf(directory, { schemas, types: true }).problems).toEqual([]);
      expect(readFileSync(join(directory, 'authz.d.rego.ts'), 'utf8')).toContain('"ann" | "bob"');
    });
    await withFiles({ 'authz.rego': `${annotation}package authz\n\nallow if input.usr == "ann"\n` }, async (directory) => {
      expect(outcomeOf(directory, { schemas }).problems[0]!.message).toContain('undefined ref: input.usr');
    });
  });

  test('rules that the options name', async () => {
    await withFiles({ 'authz.rego': `${authz}\nother := 1\n` }, async (directory) => {
      const named = async (entrypoints: readonly string[]) =>
        Object.keys((await load(directory, outcomeOf(directory, { entrypoints }))).default!);
      expect(await named(['authz/other'])).toEqual(['other']);
      expect((await named(['elsewhere/x'])).sort()).toEqual(['allow', 'other']);
    });
  });

  test('Rego v0', async () => {
    await withFiles({ 'authz.rego': 'package authz\n\nallow { input.x }\n' }, async (directory) => {
      const { allow } = await load(directory, outcomeOf(directory, { v0Compatible: true }));
      expect(allow!({ x: 1 })).toBe(true);
    });
  });
});

describe('an error has its place, its line of source, and a hint:', () => {
  const shown = (directory: string, { problems }: RegoOutcome) =>
    problems.map(({ message, place }) => [message, place && `${relative(directory, place.file)}:${place.row}:${place.col}`, place?.frame]);

  test.each<[string, Readonly<Record<string, string>>, RegoOptions, unknown]>([
    [
      'of syntax',
      { 'authz.rego': 'package authz\n\nallow if {\n\tinput.x &&\n}\n' },
      {},
      [[expect.stringContaining('rego_parse_error: '), 'authz.rego:4:11', expect.stringContaining('4 |     input.x &&\n')]],
    ],
    [
      'of a name',
      { 'authz.rego': 'package authz\n\nallow if inptu.x\n' },
      {},
      [
        [
          'rego_unsafe_var_error: var inptu is unsafe\nhint: did you mean `input`?',
          'authz.rego:3:10',
          '3 | allow if inptu.x\n  |          ^^^^^',
        ],
      ],
    ],
    [
      'of a type',
      { 'authz.rego': 'package authz\n\nallow if startswith(1, "a")\n' },
      {},
      [
        [
          expect.stringMatching(/^rego_type_error: startswith: invalid argument\(s\)\nhave: .*\nwant: /),
          'authz.rego:3:10',
          expect.anything(),
        ],
      ],
    ],
    [
      'of another file of the package',
      { 'authz.rego': authz, 'b.rego': 'package authz\n\nx := y\n' },
      {},
      [[expect.stringContaining('var y is unsafe'), 'b.rego:3:6', expect.anything()]],
    ],
    [
      'of strictness',
      { 'authz.rego': 'package authz\n\nimport data.a\n\nx := 1\n' },
      { strict: true },
      [[expect.stringContaining('unused'), 'authz.rego:3:1', expect.anything()]],
    ],
    [
      'of capabilities',
      { 'authz.rego': 'package authz\n\nx := count([])\n', 'allowed.json': '{"builtins": [], "features": ["rego_v1"]}' },
      { capabilities: 'allowed.json' },
      [[expect.stringContaining('count'), 'authz.rego:3:6', expect.anything()]],
    ],
    [
      'of a schema',
      {
        'authz.rego': '# METADATA\n# schemas:\n#   - input: schema\npackage authz\n\nallow if input.usre == "ann"\n',
        'schema.json': '{"type": "object", "properties": {"user": {"type": "string"}}, "additionalProperties": false}',
      },
      { schemas: 'schema.json' },
      [[expect.stringContaining('undefined ref: input.usre'), 'authz.rego:6:16', expect.anything()]],
    ],
    [
      'of data that conflicts with a rule',
      { 'authz.rego': authz },
      { data: { authz: { allow: 1 } } },
      [[expect.stringContaining('conflict'), 'authz.rego:3:1', expect.anything()]],
    ],
  ])('%s', async (_, files, options, expected) => {
    await withFiles(files, async (directory) => expect(shown(directory, outcomeOf(directory, options))).toEqual(expected));
  });

  test.each<[RegoOptions, RegExp]>([
    [{ data: 'nowhere' }, /^\S*\/nowhere: no such file or directory$/],
    [{ data: 'bad.json' }, /^\S*\/bad\.json: /],
    [{ data: ['a.json', 'b.json'] }, /^\S*\/b\.json: merge error$/],
    [{ schemas: 'nowhere' }, /nowhere: no such file/],
    [{ schemas: 'list.json' }, /a schema must be an object or a boolean/],
    [{ schemas: { input: [] as unknown as object } as never }, /schemas: schema input is no schema/],
    [{ schemas: { input: { '~standard': {} } } }, /schemas: schema input cannot tell its JSON Schema/],
    [{ schemas: { input: { default: Number.NaN } } }, /schemas: schema/],
    [{ capabilities: 'v9.9.9' }, /there is no release v9\.9\.9/],
    [{ capabilities: 'nowhere.json' }, /nowhere\.json: no such file/],
    [{ entrypoints: ['authz/nothing'] }, /authz\/nothing/],
  ])('of an option: %j', async (options, message) => {
    const files = { 'authz.rego': authz, 'bad.json': '{', 'a.json': '{"a": 1}', 'b.json': '{"a": 2}', 'list.json': '[]' };
    await withFiles(files, async (directory) => {
      const { module, problems } = outcomeOf(directory, options);
      expect([module, problems.map((problem) => [message.test(problem.message) || problem.message, problem.place])]).toEqual([
        undefined,
        [[true, undefined]],
      ]);
    });
  });

  test.each([
    [{ dta: 'x' }, 'there is no option dta; options are policies, data, '],
    [{ strict: 'yes' }, 'option strict must be true or false'],
    [{ schemas: 7 }, 'option schemas must be a path or an object with schemas'],
    [{ entrypoints: 'a/b' }, 'option entrypoints must be a list of paths'],
  ])('of the use of an option: %j', (options, message) => {
    expect(() => new Project('/', options as RegoOptions)).toThrow(message);
  });
});

test('an import of what is not there is a warning with its place', async () => {
  const policy = 'package authz\n\nimport data.lib.roles\nimport data.admins\n\nallow if roles.x\n\nlist := admins\n';
  await withFiles({ 'authz.rego': policy }, async (directory) => {
    const warned = outcomeOf(directory, { data: { admins: [] } }).module!.warnings;
    expect(warned.map(({ message, place }) => [message.slice(0, 46), place?.row, place?.frame])).toEqual([
      ['no policy and no data is at data.lib.roles: na', 3, '3 | import data.lib.roles\n  |        ^^^^^^^^^^^^^^'],
    ]);
  });
});

test('a rule that no module can have is left out, with a warning', async () => {
  const policy = 'package authz\n\nallow if input.x\n\nremote := http.send({"url": input.url, "method": "get"})\n';
  await withFiles({ 'authz.rego': policy }, async (directory) => {
    const outcome = outcomeOf(directory);
    const { allow, remote } = await load(directory, outcome);
    expect([allow!({ x: 1 }), remote]).toEqual([true, undefined]);
    expect(outcome.module!.warnings.map(({ message, place }) => [message, place?.row, place?.col])).toEqual([
      ['authz/remote is left out: rego_type_error: http.send cannot go into a module: it sends requests', 5, 11],
    ]);
    const named = outcomeOf(directory, { entrypoints: ['authz/remote'] });
    expect(named.problems.map(({ message, place }) => [message, place?.frame.split('\n')[0]])).toEqual([
      ['rego_type_error: http.send cannot go into a module: it sends requests', expect.stringMatching(/^5 \| remote := /)],
    ]);
    writeFileSync(join(directory, 'authz.d.rego.ts'), '// mine');
    expect(outcomeOf(directory, { types: true }).problems[0]!.message).toContain('writ has not made this file');
  });
});

test('without options, those of package.json count', async () => {
  await withFiles({ 'authz.rego': authz, 'admins.json': '{"admins": ["ann"]}' }, async (directory) => {
    put(directory, { 'package.json': '{"writ": {"data": "admins.json"}}' });
    const project = new Project(directory, undefined);
    const { allow } = await load(directory, project.module(join(directory, 'authz.rego'), { format: 'es' }));
    expect(allow!({ user: 'ann' })).toBe(true);
    put(directory, { 'package.json': '{"writ": {"dta": "admins.json"}}' });
    const other = new Project(directory, undefined);
    const where = `"writ" in ${join(directory, 'package.json')}: there is no option dta`;
    expect(() => other.module(join(directory, 'authz.rego'), { format: 'es' })).toThrow(where);
  });
});

test('only built-ins that are used are in the module', async () => {
  const sizes = await withFiles(
    { 'a.rego': 'package a\n\nx := input.x\n', 'b.rego': 'package b\n\nx := yaml.unmarshal(input.x)\n' },
    async (directory) => ['a.rego', 'b.rego'].map((file) => outcomeOf(directory, {}, file).module!.text),
  );
  expect(sizes.map((text) => /js-yaml/.test(text))).toEqual([false, true]);
});
