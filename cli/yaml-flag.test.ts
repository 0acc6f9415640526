import { afterEach, expect, test } from 'vitest';
import { runCommand, withFiles } from '../test/harness/command.js';
import { useYaml } from '../values/yaml/yaml-scalars.js';

const files = {
  'data.yaml': 'on: yes\nmode: off\ncount: 012\nword: !!str no\n',
  'input.yaml': 'enabled: no\n',
  'p.rego': 'package p\n\nv := [yaml.unmarshal("a: [Off, y]"), input.enabled]\n',
};

afterEach(() => useYaml('1.2'));

async function answer(query: string, ...flags: string[]): Promise<unknown> {
  return withFiles(files, async (directory) => {
    const paths = ['-d', `${directory}/data.yaml`, '-d', `${directory}/p.rego`, '-i', `${directory}/input.yaml`];
    const { stdout } = await runCommand('eval', ...flags, '-f', 'raw', ...paths, query);
    return JSON.parse(stdout) as unknown;
  });
}

test('words of YAML 1.1 are strings, unless --yaml says that the text is 1.1', async () => {
  const newer = [{ on: 'yes', mode: 'off', count: 10, word: 'no' }, [{ a: ['Off', 'y'] }, 'no']];
  const older = [{ true: true, mode: false, count: 10, word: 'no' }, [{ a: [false, true] }, false]];
  const query = '[{k: v | some k, v in data; k != "p"}, data.p.v]';
  expect(await answer(query)).toEqual(newer);
  expect(await answer(query, '--yaml', '1.1')).toEqual(older);
  expect(await answer(query, '--yaml=1.2')).toEqual(newer);
});

test('inputs of other commands follow --yaml', async () => {
  await withFiles({ 'p.rego': 'package p\n\nv := input.enabled\n', 'input.yaml': files['input.yaml'] }, async (directory) => {
    const decided = await runCommand('exec', '--yaml', '1.1', '-b', directory, '--decision', 'p/v', `${directory}/input.yaml`);
    expect(JSON.parse(decided.stdout)).toMatchObject({ result: [{ result: false }] });
  });
});

test.each(['"1.1"', '1.1'])('a configuration may say that YAML is of version %s', async (version) => {
  const config = `server: {yaml_version: ${version}}\ndecision_logs: {console: false}\n`;
  await withFiles({ ...files, 'config.yaml': config }, async (directory) => {
    const given = ['-c', `${directory}/config.yaml`, '-b', directory, '--decision', 'p/v', `${directory}/input.yaml`];
    expect(JSON.parse((await runCommand('exec', ...given)).stdout)).toMatchObject({ result: [{ result: [{ a: [false, true] }, false] }] });
    expect(JSON.parse((await runCommand('exec', '--yaml', '1.2', ...given)).stdout)).toMatchObject({
      result: [{ result: [{ a: ['Off', 'y'] }, 'no'] }],
    });
  });
});

test('a version of YAML in a configuration must be one of two', async () => {
  await withFiles({ 'config.yaml': 'server: {yaml_version: 2}\n', 'p.rego': files['p.rego'] }, async (directory) => {
    const { exit, stderr } = await runCommand('exec', '-c', `${directory}/config.yaml`, '-b', directory, '--decision', 'p/v', directory);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('server.yaml_version: must be equal to one of the allowed values');
  });
});

test('there are two versions', async () => {
  const { exit, stderr } = await runCommand('eval', '--yaml', '1.3', '1');
  expect(exit).toBe(1);
  expect(stderr).toContain('must be one of {1.2,1.1}');
});
