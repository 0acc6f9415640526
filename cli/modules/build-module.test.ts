import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { buildExample, calls, exampleFiles, expected } from '../../test/harness/example-module.js';

function runScript(directory: string, name: string, text: string, ...flags: string[]): unknown {
  const path = join(directory, name);
  writeFileSync(path, text);
  return JSON.parse(execFileSync(process.execPath, [...flags, path], { encoding: 'utf8' }));
}

test.each([
  ['as it is', []],
  ['where it may make no code of text', ['--disallow-code-generation-from-strings']],
])('an ES module is imported by Node %s', async (_, flags) => {
  await withFiles(exampleFiles, async (directory) => {
    const path = await buildExample(directory, 'policy.mjs');
    expect(runScript(directory, 'main.mjs', `import * as m from ${JSON.stringify(path)};${calls}`, ...flags)).toEqual(expected(directory));
  });
});

test('a CommonJS module is required, and imported, by Node', async () => {
  await withFiles(exampleFiles, async (directory) => {
    const path = await buildExample(directory, 'policy.cjs');
    expect(runScript(directory, 'main.cjs', `const m = require(${JSON.stringify(path)});${calls}`)).toEqual(expected(directory));
    const text = `import { authz, decide } from ${JSON.stringify(path)}; console.log(JSON.stringify([typeof decide, authz.allow({ user: 'ann' })]));`;
    expect(runScript(directory, 'main.mjs', text)).toEqual(['function', true]);
  });
});

test('the format of a module is its extension, or said by a flag', async () => {
  await withFiles(exampleFiles, async (directory) => {
    expect(readFileSync(await buildExample(directory, 'a.js'), 'utf8')).toMatch(/^export\{.* as decide,/m);
    expect(readFileSync(await buildExample(directory, 'b.js', '--js-format=commonjs'), 'utf8')).toContain('exports.decide=');
  });
});

test('optimized policies and those of bundles decide alike', async () => {
  await withFiles(exampleFiles, async (directory) => {
    const path = await buildExample(directory, 'policy.mjs', '-b', '-O=1');
    const text = `import { authz } from ${JSON.stringify(path)};
      console.log(JSON.stringify([authz.allow({ user: 'ann' }), authz.allow({ user: 'bob', action: 'read', path: '/docs' })]));`;
    expect(runScript(directory, 'main.mjs', text)).toEqual([true, true]);
  });
});

test('a module makes no code of text', async () => {
  await withFiles(exampleFiles, async (directory) => {
    const text = readFileSync(await buildExample(directory, 'policy.mjs'), 'utf8');
    expect(text).not.toMatch(/\bnew Function\b|(?<!\.)\b(?:import|require)\(/);
  });
});

test('built-ins that cannot go into a module are errors with their places', async () => {
  const network = 'package a\n\nx := http.send({"method": "get", "url": input.url})\n\ny if io.jwt.verify_rs256("a", "b")\n';
  await withFiles({ 'p.rego': network }, async (directory) => {
    const [path, output] = [join(directory, 'p.rego'), join(directory, 'p.js')];
    const both = await runCommand('build', '-t', 'js', '-e', 'a', '-o', output, path);
    expect(both).toMatchObject({ exit: 1 });
    expect(both.stdout).toBe(`error: 2 errors occurred:
${path}:3: rego_type_error: http.send cannot go into a module: it sends requests
${path}:5: rego_type_error: io.jwt.verify_rs256 cannot go into a module: it needs cryptographic keys
`);
    const json = await runCommand('build', '-t', 'js', '-f', 'json', '-e', 'a/x', '-o', output, path);
    expect(JSON.parse(json.stdout)).toMatchObject({ errors: [{ code: 'rego_type_error', location: { file: path, row: 3, col: 6 } }] });
  });
});

test.each([
  [['-o', 'x.tar.gz'], /-t js writes a module: the output must end in \.js, \.mjs or \.cjs, not x\.tar\.gz/],
  [['-o', 'x.mjs', '--js-format=commonjs'], /--js-format=commonjs does not go with the output x\.mjs/],
  [['--plan-addons=unplanned_rules'], /--plan-addons: a module has no plan/],
  [['-b', '--signing-key=k'], /--signing-key: a module cannot be signed/],
])('%j is refused', async (flags, message) => {
  const { exit, stderr } = await runCommand('build', '-t', 'js', '-e', 'a', ...flags, 'p');
  expect({ exit: exit > 0, stderr }).toEqual({ exit: true, stderr: expect.stringMatching(message) });
});

test('flags of modules are refused for other targets', async () => {
  expect((await runCommand('build', '-t', 'plan', '--js-format=es', 'p')).stderr).toContain('--js-format needs --target js');
});

test('a module needs an entrypoint', async () => {
  await withFiles({ 'p.rego': 'package a\nx := 1\n' }, async (directory) => {
    const done = await runCommand('build', '-t', 'js', '-o', join(directory, 'a.js'), join(directory, 'p.rego'));
    expect(done).toMatchObject({ exit: 1, stdout: 'error: js compilation requires at least one entrypoint\n' });
  });
});

async function moduleOf(directory: string, policy: string): Promise<string> {
  const [source, output] = [join(directory, 'p.rego'), join(directory, 'p.mjs')];
  writeFileSync(source, `package a\n${policy}`);
  expect(await runCommand('build', '-t', 'js', '-e', 'a/x', '-o', output, source)).toMatchObject({ exit: 0 });
  return output;
}

test('a module contains what it needs and no more', async () => {
  await withFiles({}, async (directory) => {
    const sizeOf = async (policy: string) => readFileSync(await moduleOf(directory, policy)).length;
    const small = await sizeOf('x if input.user in data.admins');
    expect(small).toBeLessThan(40_000);
    expect((await sizeOf('x := startswith(input.a, "b")')) - small).toBeLessThan(3_800);
    expect((await sizeOf('x := sprintf("%d", [input.a])')) - small).toBeLessThan(30_000);
  });
});

describe('RE2 is in modules of patterns that native regular expressions may be slow for', () => {
  test.each([
    ['regex.match("^[a-z]+@example\\\\.com$", input.a)', false],
    ['regex.replace(input.a, "b", "c")', false],
    ['glob.match("*.example.com", ["."], input.a)', false],
    ['regex.match("(a|b)*c", input.a)', true],
    ['regex.match(input.pattern, input.a)', true],
    ['regex.is_valid(input.a)', true],
  ])('%s: %s', async (call, hasRe2) => {
    await withFiles({}, async (directory) => {
      expect(readFileSync(await moduleOf(directory, `x := ${call}`), 'utf8').includes('re2js')).toBe(hasRe2);
    });
  });

  test('without it, a text that is too long for them ends the decision', async () => {
    await withFiles({}, async (directory) => {
      const path = await moduleOf(directory, 'x := regex.match("^a+$", input.a)');
      const text = `import m from ${JSON.stringify(path)};
        const outcome = (length) => { try { return m.a.x({ a: 'a'.repeat(length) }); } catch (error) { return error.message; } };
        console.log(JSON.stringify([outcome(1_000_000), outcome(2_000_000)]));`;
      const message = `${join(directory, 'p.rego')}:2: eval_builtin_error: a text of more than 1048576 characters needs RE2`;
      expect(runScript(directory, 'main.mjs', text)).toEqual([true, message]);
    });
  });
});

test('the licences of packages are in the modules that have parts of them', async () => {
  await withFiles({}, async (directory) => {
    const text = readFileSync(await moduleOf(directory, 'x := yaml.unmarshal(input.a)'), 'utf8');
    expect(text).toMatch(/^js-yaml [\d.]+ \(MIT\)$/m);
    expect(text).not.toContain('re2js');
  });
});

test.each([
  [300, 301],
  [2500, 'eval_cancel_error'],
])('%i calls inside calls: %s', async (depth, outcome) => {
  await withFiles({}, async (directory) => {
    const chain = Array.from({ length: depth }, (_, i) => `f${i}(n) := f${i + 1}(n + 1)\n`).join('');
    const path = await moduleOf(directory, `${chain}f${depth}(n) := n\nx := f0(input.n)`);
    const text = `import m from ${JSON.stringify(path)};
      try { console.log(m.a.x({ n: 1 })); } catch (error) { console.log(JSON.stringify(error.code)); }`;
    expect(runScript(directory, 'main.mjs', text, '--stack-size=300')).toBe(outcome);
  });
});

test('where a script has added properties to all objects, a module gives no answers', async () => {
  await withFiles(exampleFiles, async (directory) => {
    const path = await buildExample(directory, 'policy.mjs');
    const text = `import { authz } from ${JSON.stringify(path)};
      Object.prototype.user = 'ann';
      try { authz.allow({}); } catch (error) { console.log(JSON.stringify(error.code)); }`;
    expect(runScript(directory, 'main.mjs', text)).toBe('eval_internal_error');
  });
});
