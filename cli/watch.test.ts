import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../test/harness/command.js';
import { watchFiles } from './watch.js';

test('a file that changes, and one that comes, are noticed once each', async () => {
  await withFiles({ 'd/a.rego': 'package a\n' }, async (directory) => {
    const ended = new AbortController();
    let waits = 0;
    let changes = 0;
    const steps = [
      () => writeFileSync(join(directory, 'd/a.rego'), 'package b\n'),
      () => writeFileSync(join(directory, 'd/new.rego'), 'package c\n'),
      () => ended.abort(),
    ];
    const waiting = () => {
      const step = steps[waits++];
      // The system may report changes from before the watch began.
      setTimeout(() => step?.(), 50);
    };
    await watchFiles([join(directory, 'd')], async () => void changes++, { waiting, signal: ended.signal });
    expect([waits, changes]).toEqual([3, 2]);
  });
});
