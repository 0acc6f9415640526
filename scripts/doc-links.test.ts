import { expect, test } from 'vitest';
import { deadLinks } from './doc-links.js';

const tree = ['README.md', 'docs/http.md', 'docs/deploy/unit.service', 'bin/writ'];
const http = '# HTTP\n\n## Long `bodies`, and limits\n';

const deadIn = (readme: string) =>
  deadLinks(
    new Map([
      ['README.md', readme],
      ['docs/http.md', http],
    ]),
    tree,
  );

test.each([
  ['a page', '[a](docs/http.md)'],
  ['a heading of a page', '[a](docs/http.md#long-bodies-and-limits)'],
  ['a heading of the same page', '# Try it\n[a](#try-it)'],
  ['a folder', '[a](docs/deploy) and [b](docs/deploy/)'],
  ['what code looks like', '`f[a](b)` and [`c`](bin/writ)'],
  ['another site', '[a](https://example.com/x#y)'],
])('accepts a link to %s', (_title, readme) => {
  expect(deadIn(readme)).toEqual([]);
});

test.each([
  ['a page', 'docs/https.md'],
  ['a heading', 'docs/http.md#short-bodies'],
  ['a folder above the project', '../docs/http.md'],
])('reports a link to %s that is not there', (_title, target) => {
  expect(deadIn(`\n[a](${target})`)).toEqual([`README.md:2: the link to ${target} leads nowhere`]);
});

test('links of a page begin at its folder', () => {
  expect(deadLinks(new Map([['docs/http.md', '[a](../README.md) [b](README.md)']]), tree)).toEqual([
    'docs/http.md:1: the link to README.md leads nowhere',
  ]);
});
