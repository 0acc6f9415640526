import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { lint } from '../../views/lint/index.js';
import { openCache } from './lint-cache.js';

const build = { version: '1', commit: 'c', timestamp: '2026-01-01T00:00:00Z' };
const sources = ['a', 'b'].map((name) => ({
  file: `${name}/p.rego`,
  text: `package ${name}\n\nmoorNow if not data.b.set\n\nset contains 1\n`,
}));

test('a second run answers the same from the cache, and a changed file is linted', async () => {
  await withFiles({}, async (directory) => {
    const env = { XDG_CACHE_HOME: directory };
    const first = openCache('settings', env, build)!;
    const report = await lint(sources, { cache: first });
    first.save();
    const second = openCache('settings', env, build)!;
    expect(sources.every((source) => second.get(source) !== undefined)).toBe(true);
    expect(await lint(sources, { cache: second })).toEqual(report);
    expect(second.get({ ...sources[0]!, text: 'package a\n' })).toBeUndefined();
    expect(openCache('other settings', env, build)!.get(sources[0]!)).toBeUndefined();
    expect(openCache('settings', env, { ...build, commit: 'd' })!.get(sources[0]!)).toBeUndefined();
  });
});

test('a damaged cache is none', async () => {
  await withFiles({}, async (directory) => {
    const env = { XDG_CACHE_HOME: directory };
    const cache = openCache(1, env, build)!;
    await lint(sources, { cache });
    cache.save();
    const folder = join(directory, 'writ/lint');
    writeFileSync(join(folder, readdirSync(folder)[0]!), '{"');
    expect(openCache(1, env, build)!.get(sources[0]!)).toBeUndefined();
  });
});

test('there is no cache without a directory for it', () => {
  expect(openCache(1, {}, build)).toBeUndefined();
});

test('findings of the compiler are kept until a file or a document changes', async () => {
  await withFiles({}, async (directory) => {
    const env = { XDG_CACHE_HOME: directory };
    const run = async (documents: string): Promise<number> => {
      let compilations = 0;
      const cache = openCache('settings', env, build, () => documents)!;
      const findWarnings = () => {
        compilations++;
        return [];
      };
      await lint(sources, { cache, findWarnings });
      cache.save();
      return compilations;
    };
    expect([await run('a'), await run('a'), await run('b'), await run('b')]).toEqual([1, 0, 1, 0]);
  });
});
