import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { MountedVolume } from '../../../test/harness/kubernetes/volume.js';
import { allAtOnce } from '../../../values/steps.js';
import { versionAt } from './file-tree.js';
import { FileWatch } from './file-watch.js';

function watched(...paths: string[]) {
  const onChange = vi.fn();
  const watch = new FileWatch(paths, onChange);
  onTestFinished(() => watch.close());
  /** Expects a report of a change within some time. */
  const tells = async (change: () => void) => {
    const before = onChange.mock.calls.length;
    change();
    await expect.poll(() => onChange.mock.calls.length, { timeout: 4000 }).toBeGreaterThan(before);
  };
  return { watch, onChange, tells };
}

const versionOf = (path: string) => allAtOnce(versionAt(path));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a change is told', () => {
  test('of a file that is written, replaced, removed and made again', async () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'a.json');
    writeFileSync(file, '1');
    const { tells } = watched(file);
    await tells(() => writeFileSync(file, '2'));
    await tells(() => {
      writeFileSync(join(directory, 'new'), '3');
      renameSync(join(directory, 'new'), file);
    });
    await tells(() => writeFileSync(file, '4'));
    await tells(() => rmSync(file));
    await tells(() => writeFileSync(file, '5'));
  });

  test('of a directory with all that is below it, new directories included', async () => {
    const directory = temporaryDirectory();
    const root = writeFiles(join(directory, 'root'), { 'a/b.rego': '1' });
    const { tells } = watched(root);
    await tells(() => writeFiles(root, { 'a/b.rego': '2' }));
    await tells(() => mkdirSync(join(root, 'c')));
    await tells(() => writeFiles(root, { 'c/d.rego': '1' }));
    await tells(() => rmSync(join(root, 'a'), { recursive: true }));
  });

  test('of a directory whose place another takes', async () => {
    const directory = temporaryDirectory();
    const root = writeFiles(join(directory, 'root'), { 'p.rego': '1' });
    const { tells } = watched(root);
    const other = writeFiles(join(directory, 'other'), { 'p.rego': '2' });
    await tells(() => {
      renameSync(root, join(directory, 'old'));
      renameSync(other, root);
    });
    await tells(() => writeFiles(root, { 'p.rego': '3' }));
  });

  describe.each([
    ['a mounted volume', ''],
    ['a file of it', 'p.rego'],
    ['a directory of it', 'd'],
    ['a file in a directory of it', 'd/q.rego'],
    ['a path through its hidden link', '..data/p.rego'],
  ])('of %s, as clusters mount files', (_title, name) => {
    const files = (text: string) => ({ 'p.rego': text, 'd/q.rego': text });

    test.each([
      ['removed', false],
      ['kept', true],
    ])('whose old files are %s', async (_old, keepOld) => {
      const volume = new MountedVolume(files('1'));
      const { tells } = watched(join(volume.path, name));
      for (const text of ['2', '3', '4']) await tells(() => volume.update(files(text), keepOld));
    });
  });

  test('of a link above the path that is put in the place of another', async () => {
    const directory = temporaryDirectory();
    const use = (name: string) => {
      writeFiles(join(directory, 'trees', name), { 'policies/p.rego': name });
      symlinkSync(join('trees', name), join(directory, 'next'));
      renameSync(join(directory, 'next'), join(directory, 'current'));
    };
    use('1');
    symlinkSync('current', join(directory, 'link'));
    const { tells } = watched(join(directory, 'link/policies/p.rego'));
    await tells(() => use('2'));
    await tells(() => use('3'));
  });

  test('of a place where nothing was', async () => {
    const directory = temporaryDirectory();
    const { tells } = watched(join(directory, 'not/yet'));
    await tells(() => writeFiles(directory, { 'not/yet/p.rego': '1' }));
  });
});

test('changes that come together are told once', async () => {
  const directory = temporaryDirectory();
  const { onChange } = watched(directory);
  for (let i = 0; i < 20; i++) writeFileSync(join(directory, `f${i}`), 'x');
  await eventually(() => expect(onChange).toHaveBeenCalled());
  await pause(400);
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('after the end nothing is told', async () => {
  const directory = temporaryDirectory();
  const { watch, onChange } = watched(directory);
  writeFileSync(join(directory, 'a'), '1');
  watch.close();
  await pause(300);
  expect(onChange).not.toHaveBeenCalled();
});

test('links that lead in circles are no trap', async () => {
  const directory = writeFiles(temporaryDirectory(), { 'a/b': '1', 'c/d': '1' });
  symlinkSync('..', join(directory, 'a/up'));
  symlinkSync('../a', join(directory, 'c/over'));
  symlinkSync('self', join(directory, 'self'));
  const first = versionOf(directory);
  const { tells } = watched(directory);
  await tells(() => writeFiles(directory, { 'a/b': '12' }));
  expect(versionOf(directory)).not.toBe(first);
});
