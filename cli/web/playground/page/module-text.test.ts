/** The exported module, run as users run it: beside the package. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../../../test/harness/command.js';
import { playgroundModule } from './module-text.js';

const project = {
  files: [
    { file: 'authz.rego', text: 'package authz\n\nallow if input.user in data.users\n\nname := data["__proto__"]\n' },
    { file: 'more.rego', text: 'package authz\n\ngreeting := `hello {x}`\n' },
  ],
  input: '{}',
};

async function decided(query: string, data: string, input: object): Promise<unknown> {
  let printed = '';
  await withFiles({}, async (folder) => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(import.meta.dirname, '../../../..'), join(folder, 'node_modules/writ'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'decide.js'), playgroundModule({ ...project, data, query }));
    const text = `import { decide } from './decide.js'; console.log(JSON.stringify(decide(${JSON.stringify(input)})) ?? 'undefined')`;
    writeFileSync(join(folder, 'main.js'), text);
    const { stdout, stderr } = spawnSync(process.execPath, ['main.js'], { cwd: folder, encoding: 'utf8' });
    printed = stderr + stdout.trim();
  });
  return printed;
}

test.each([
  ['data.authz.allow', '{"users": ["ann"]}', { user: 'ann' }, 'true'],
  ['data.authz.allow', '', { user: 'ann' }, 'undefined'],
  [' data.authz.greeting ', '{}', {}, '"hello {x}"'],
  ['data.authz.name', '{"__proto__": 7}', {}, '7'],
  ['data.authz.name', '{"\\u005f_proto__": 7}', {}, '7'],
  ['data.authz.name', '{"__proto__": "</script>\u2028"}', {}, '"</script>\u2028"'],
])('the module of %s with the data %s', async (query, data, input, wanted) => {
  expect(await decided(query, data, input)).toBe(wanted);
});

test('a query that asks for no document has no module', () => {
  expect(() => playgroundModule({ ...project, data: '', query: 'x := 1' })).toThrow('a module decides one document');
});

test.each(['{}; console.log("run")', '{"a": globalThis}', "{'a': 1}", '{} // x'])('data that is no JSON has no module: %s', (data) => {
  expect(() => playgroundModule({ ...project, data, query: 'data.authz.allow' })).toThrow('data: ');
});
