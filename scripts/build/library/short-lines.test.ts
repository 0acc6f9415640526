import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { shortLines } from './short-lines.js';

const minified = (script: string) => transformSync(script, { minifyWhitespace: true }).code.trimEnd();

const parts = {
  functions: (n: number) => `function f${n}(a,b){return a?{b,c:[${n},a]}:\`x\${[a,b,${n}]}\`}`,
  classes: (n: number) => `class C${n}{static #a=${n};b=1;get c(){return this.b}static{this.d=2}}`,
  calls: (n: number) => `f(${n},(a,b)=>{for(let i=0,j=1;i<j;i++)switch(i){case 1:break;default:a(b,i)}});`,
  'long arrays': (n: number) => `var a${n}=[${Array.from({ length: 100 }, (_, i) => `{n:${i}}`)}];`,
  'long sequences': (n: number) => `var s${n}=(${Array.from({ length: 100 }, (_, i) => `f(${i})`)});`,
  templates: (n: number) => `var t${n}=\`\n${'  a,b;{c}'.repeat(9)}\${f\`{\${a},\\{\`}\`;`,
};

test.each(Object.entries(parts))('lines of %s are short, and the code is the same', (_, part) => {
  const script = minified(
    Array.from({ length: 50 }, (_, n) => part(n))
      .concat('last();')
      .join('\n'),
  );
  const broken = shortLines(script);
  expect(minified(broken)).toBe(script);
  expect(broken.replaceAll('\n', '')).toBe(script.replaceAll('\n', ''));
  expect(broken).toContain('\nlast()');
  const lengths = broken.split('\n').map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThan(250);
});

test('a short script stays as it is', () => {
  for (const script of ['', 'f();', '{a}', 'f({a:1,b});']) expect(shortLines(script)).toBe(script);
});
