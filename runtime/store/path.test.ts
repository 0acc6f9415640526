import { expect, test } from 'vitest';
import { pathText } from './path.js';

test('paths in messages are escaped as in a URL', () => {
  expect(pathText([])).toBe('/');
  expect(pathText(['a b', 'é/', "$&+:=@!'()*~", '\ud800'])).toBe('/a%20b/%C3%A9%2F/$&+:=@%21%27%28%29%2A~/%EF%BF%BD');
});
