import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picturePath, terminalPicture } from './picture.js';

test('the picture of the README is what the commands print', async () => {
  expect(await terminalPicture()).toBe(readFileSync(join(import.meta.dirname, '../../..', picturePath), 'utf8'));
});
