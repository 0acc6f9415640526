import { expect, test } from 'vitest';
import { displayWidth } from './display-width.js';

test.each([
  ['', 0],
  ['plain', 5],
  ['é', 1],
  ['e\u0301', 1],
  ['日本', 4],
  ['ｶ', 1],
  ['Ａ', 2],
  ['😀', 2],
  ['a\u200db', 2],
])('%j takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width));
