import { expect, test } from 'vitest';
import { own, root, run } from './project.js';

test('the start pages do what they say, with the packed package in an empty folder', { timeout: 400_000 }, async () => {
  const { status, stdout, stderr } = await run(own('node/bin/node'), [own('.bin/tsx'), 'test/package/first-minutes.ts'], root);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/lines typed/g)).toHaveLength(3);
});
