import { expect, test } from 'vitest';
import { compact } from './compact.js';

test.each([
  ['a = b + c;\nif (a)  return  x;', 'a=b+c;if(a)return x;'],
  ['const x = "a  b \\" c";\nlet y;', 'const x="a  b \\" c";let y;'],
  ['{\n  b0: {\n    f(a, "b");\n  }\n}\nreturn a', '{b0:{f(a,"b");}}\nreturn a'],
  ['a + +b - -c', 'a+ +b- -c'],
  ['typeof "x" === y', 'typeof"x"===y'],
  ['a = b\nc = d', 'a=b\nc=d'],
  ['x instanceof Y', 'x instanceof Y'],
])('%j becomes %j', (text, short) => expect(compact(text)).toBe(short));
