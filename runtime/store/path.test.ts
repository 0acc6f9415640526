import { expect, test } from 'vitest';
import { arrayIndex, storePathText } from './path.js';

test('paths in messages are escaped as in a URL', () => {
  expect(storePathText([])).toBe('/');
  expect(storePathText(['a b', 'é/', "$&+:=@!'()*~", '\ud800'])).toBe('/a%20b/%C3%A9%2F/$&+:=@%21%27%28%29%2A~/%EF%BF%BD');
});

test.each(['1', '01', '+1', '1.0', '1.000'])('the segment %s is the element 1 of an array', (segment) => {
  expect(arrayIndex(2, segment, [segment])).toBe(1);
});

test.each([
  ['1e0', 'array index must be integer'],
  ['1.', 'array index must be integer'],
  ['1.5', 'array index must be integer'],
  ['9223372036854775808.0', 'array index must be integer'],
  ['-1.0', 'array index out of range'],
  ['2.0', 'array index out of range'],
])('the segment %s is no element of an array of two', (segment, problem) => {
  expect(() => arrayIndex(2, segment, [segment])).toThrow(problem);
});
