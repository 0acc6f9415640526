import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { plainExports } from './plain-exports.js';

const chunk = `var count = 0;
function next() {
  return count++;
}
var Held = class {
};
var later;
async function load() {
  later = 1;
}
export {
  next,
  Held as Kept,
  count,
  later,
  load
};
`;

test('functions and classes of a chunk become properties, names that change stay getters', async () => {
  const { code } = transformSync(chunk, { format: 'cjs' });
  const module = { exports: {} as Record<string, unknown> };
  new Function('module', 'exports', `${code}\n${plainExports(chunk)}`)(module, module.exports);
  const { exports } = module;
  expect(Object.keys(exports).sort()).toEqual(['Kept', 'count', 'later', 'load', 'next']);
  const isPlain = (name: string) => Object.getOwnPropertyDescriptor(exports, name)!.get === undefined;
  expect(Object.keys(exports).filter(isPlain).sort()).toEqual(['Kept', 'load', 'next']);
  expect((exports as { __esModule?: boolean }).__esModule).toBe(true);
  (exports.next as () => number)();
  await (exports.load as () => Promise<void>)();
  expect([exports.count, exports.later]).toEqual([1, 1]);
});
