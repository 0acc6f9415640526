import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, temporaryDirectory } from '../../test/harness/disk.js';
import { started } from '../../test/harness/server/plugins.js';
import type { PlainObject } from '../../values/value.js';
import { metricsText } from '../metrics/prometheus.js';

const numbersIn = (path: string): number[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number((JSON.parse(line) as PlainObject).decision_id));

async function logging(file: PlainObject) {
  const { manager, lines } = await started({ decision_logs: { file } });
  const record = (from: number, to: number) => {
    for (let i = from; i < to; i++) void manager.decisionLog!.record({ decisionId: `${i}`, input: 'x'.repeat(100) });
  };
  return { manager, lines, record };
}

const to = (n: number) => Array.from({ length: n }, (_, i) => i);

test('events are lines of a file, which is continued', async () => {
  const path = join(temporaryDirectory(), 'decisions.log');
  for (const from of [0, 50]) {
    const { manager, record } = await logging({ path });
    record(from, from + 50);
    await manager.stop();
  }
  expect(numbersIn(path)).toEqual(to(100));
});

test('a full file is renamed, and the oldest one removed', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'd.log');
  const { manager, record } = await logging({ path, max_size_bytes: 3000, max_backups: 2 });
  for (let i = 0; i < 100; i += 5) {
    record(i, i + 5);
    await eventually(() => expect(numbersIn(path).at(-1)).toBe(i + 4));
  }
  await manager.stop();
  expect(readdirSync(directory).toSorted()).toEqual(['d.log', 'd.log.1', 'd.log.2']);
  const kept = ['d.log.2', 'd.log.1', 'd.log'].flatMap((name) => numbersIn(join(directory, name)));
  expect(kept).toEqual(to(100).slice(100 - kept.length));
  expect(kept.length).toBeGreaterThan(25);
  for (const name of readdirSync(directory)) expect(readFileSync(join(directory, name)).length).toBeLessThanOrEqual(3000);
});

test('events wait for a folder that is missing', async () => {
  const folder = join(temporaryDirectory(), 'later');
  const { record, lines } = await logging({ path: join(folder, 'd.log') });
  record(0, 3);
  await eventually(() =>
    expect(lines.map(({ msg }) => msg)).toContain(`Log file cannot be written: open ${join(folder, 'd.log')}: no such file or directory.`),
  );
  mkdirSync(folder);
  await eventually(() => expect(numbersIn(join(folder, 'd.log'))).toEqual([0, 1, 2]));
});

test('events that were never written are counted at the end', async () => {
  const { manager, record } = await logging({ path: join(temporaryDirectory(), 'no', 'd.log') });
  record(0, 4);
  await manager.stop();
  expect(metricsText(manager.metrics())).toContain('_bytes_exceeded 4\n');
});
