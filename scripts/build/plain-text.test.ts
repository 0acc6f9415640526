import { expect, test } from 'vitest';
import { plainText } from './plain-text.js';

test.each([
  ['a path to load', 'import(`./a-B_1.js`).then(e=>e.x)', 'import("./a-B_1.js").then(e=>e.x)'],
  ['a path of a file', 'new Worker(new URL(`../b.js`,import.meta.url))', 'new Worker(new URL("../b.js",import.meta.url))'],
  ['another template', 'f(`./a.js`);import(`pack`)', 'f(`./a.js`);import(`pack`)'],
  ['characters beyond ASCII', "x='\u00e9\u2026\ud83d\ude00\0'", "x='\\u00e9\\u2026\\ud83d\\ude00\\u0000'"],
  ['one after a backslash', "x='\\\u00e9\\\\\u00e9\\n'", "x='\\u00e9\\\\\\u00e9\\n'"],
])('%s', (_title, script, expected) => {
  expect(plainText(script)).toBe(expected);
});

test('what it changes has the same value', () => {
  const script = "['\u00e9', `\u2028\\\u00e9`, /[\u00e0-\u00ff]/u.test('\u00e9'), '\0', '\\\\\ud83d\ude00']";
  expect(new Function(`return ${plainText(script)}`)()).toEqual(new Function(`return ${script}`)());
});
