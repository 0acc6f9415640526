import { expect, test } from 'vitest';
import { launchFlags } from './bundle-command.js';

test.each([
  ['test', ['--min-semi-space-size=8', '--max-semi-space-size=8', '--initial-old-space-size=128']],
  ['build', ['--min-semi-space-size=8', '--max-semi-space-size=32']],
  ['check', ['--min-semi-space-size=8', '--max-semi-space-size=32']],
  ['--help', []],
])('functions of %s are learned with the flags of its runs', (command, flags) => {
  expect(launchFlags(command)).toEqual(flags);
});
