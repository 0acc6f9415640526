import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventually, temporaryDirectory } from '../../../../test/harness/disk.js';
import { started } from '../../../../test/harness/server/plugins.js';
import type { PlainObject } from '../../../../values/value.js';
import { parsePlugins } from '../../config/plugins-config.js';
import { metricsText } from '../../metrics/prometheus.js';

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
  const folder = join(temporaryDirectory(), 'no');
  const { manager, record } = await logging({ path: join(folder, 'd.log') });
  record(0, 4);
  await manager.stop();
  expect(metricsText(manager.metrics())).toContain('_bytes_exceeded 4\n');
  // Nor are they written later.
  mkdirSync(folder);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(readdirSync(folder)).toEqual([]);
});

describe('the plugin file_logger', () => {
  const logger = (settings: PlainObject) => ({ decision_logs: { plugin: 'file_logger' }, plugins: { file_logger: settings } });
  const large = 'x'.repeat(600 * 1024);

  test('writes decisions as lines of a log', async () => {
    const path = join(temporaryDirectory(), 'opa.log');
    const { manager } = await started(logger({ path, level: 'INFO' }));
    await manager.decisionLog!.record({ decisionId: '1', path: 'a/b', result: true });
    await manager.stop();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      level: 'info',
      msg: 'Decision Log',
      type: 'openpolicyagent.org/decision_logs',
      time: expect.stringMatching(/^\d{4}-/),
      decision_id: '1',
      path: 'a/b',
      result: true,
    });
  });

  test('writes none at a level above', async () => {
    const path = join(temporaryDirectory(), 'opa.log');
    const { manager } = await started(logger({ path, level: 'error' }));
    await manager.decisionLog!.record({ decisionId: '1' });
    await manager.stop();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('compresses full files, and removes those that are too many or too old', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'opa.log');
    writeFileSync(join(directory, 'opa-2020-01-01T00-00-00.000.log'), 'old');
    writeFileSync(join(directory, 'opa-other.log'), 'not ours');
    const { manager } = await started(logger({ path, max_size_mb: 1, max_age_days: 7, max_backups: 2, compress: true }));
    for (let i = 0; i < 5; i++) {
      await manager.decisionLog!.record({ decisionId: `${i}`, input: large });
      await eventually(() => expect(readFileSync(path, 'utf8')).toContain(`"decision_id":"${i}"`));
    }
    await manager.stop();
    const renamed = readdirSync(directory)
      .filter((name) => name.endsWith('.gz'))
      .toSorted();
    expect(readdirSync(directory).toSorted()).toEqual([...renamed, 'opa-other.log', 'opa.log']);
    expect(
      renamed.map((name) => (JSON.parse(gunzipSync(readFileSync(join(directory, name))).toString()) as PlainObject).decision_id),
    ).toEqual(['2', '3']);
  });

  test.each<[PlainObject, string]>([
    [{}, 'plugins.file_logger: path is missing'],
    [{ path: 'a', max_backups: -1 }, 'plugins.file_logger.max_backups: must not be negative'],
    [{ path: 'a', level: 'loud' }, 'plugins.file_logger.level: "loud" is not a level'],
  ])('with %j is refused', async (settings, message) => {
    await expect(started(logger(settings))).rejects.toThrow(message);
  });

  test('is refused where it is not configured, or a file is beside it', async () => {
    const plugin = { decision_logs: { plugin: 'file_logger' } };
    await expect(started(plugin)).rejects.toThrow('invalid plugin name "file_logger" in decision_logs');
    const both = { decision_logs: { plugin: 'file_logger', file: { path: 'a' } }, plugins: { file_logger: { path: 'a' } } };
    await expect(started(both)).rejects.toThrow('either a file or a plugin');
  });

  test('takes nothing from a service that is named too', async () => {
    const path = join(temporaryDirectory(), 'opa.log');
    const config = logger({ path });
    const services = { s: { url: 'http://127.0.0.1:1' } };
    expect(parsePlugins({ ...config, services }).decisionLogs).toMatchObject({ upload: undefined, file: { path } });
    const named = { ...config, services, decision_logs: { plugin: 'file_logger', service: 's' } };
    expect(parsePlugins(named).decisionLogs).toMatchObject({ upload: { service: 's' }, file: { path } });
  });
});
