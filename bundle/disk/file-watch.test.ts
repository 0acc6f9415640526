import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually, temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { allAtOnce } from '../../values/steps.js';
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
    await eventually(() => expect(onChange.mock.calls.length).toBeGreaterThan(before));
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

  test('of a link that is put in the place of another, as clusters mount files', async () => {
    const directory = temporaryDirectory();
    writeFiles(join(directory, '..1'), { 'p.rego': '1' });
    symlinkSync('..1', join(directory, '..data'));
    symlinkSync('..data/p.rego', join(directory, 'p.rego'));
    const { tells } = watched(directory);
    writeFiles(join(directory, '..2'), { 'p.rego': '2' });
    symlinkSync('..2', join(directory, '..tmp'));
    await tells(() => renameSync(join(directory, '..tmp'), join(directory, '..data')));
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
