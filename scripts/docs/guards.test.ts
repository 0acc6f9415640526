import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?:app\.tsx?|route\.ts)$/.test(name))
  .map((name) => readFileSync(join(root, 'examples', name), 'utf8'));

test.each(['guards', 'react'])('the code of docs/%s.md is that of the apps in examples/', (page) => {
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```js\n(.*?)\n```$/gms)].map(([, code]) => code!);
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks.filter((code) => !sources.some((source) => source.includes(code)))).toEqual([]);
});
