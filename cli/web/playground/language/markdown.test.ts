import { expect, test } from 'vitest';
import { Marked } from './markdown.js';

const html = (text: string) => new Marked().parse(text);

test.each([
  ['a paragraph', 'one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
  ['code', '```rego\na if {\n\n  b < 1\n}\n```\n\nabout', '<pre><code>a if {\n\n  b &#60; 1\n}</code></pre><p>about</p>'],
  ['code between texts', 'x\n\n```rego\na\n```\n\n```rego\nb\n```', '<p>x</p><pre><code>a</code></pre><pre><code>b</code></pre>'],
  ['words', '**strong** and `a["b"]`', '<p><strong>strong</strong> and <code>a[&#34;b&#34;]</code></p>'],
  ['a list', '- `a`\n- b', '<ul><li><code>a</code></li><li>b</li></ul>'],
  [
    'a link',
    '[page](https://a.example/?b&c)',
    '<p><a href="https://a.example/?b&#38;c" target="_blank" rel="noopener noreferrer">page</a></p>',
  ],
])('%s', (_title, text, wanted) => expect(html(text)).toBe(wanted));

test.each([
  '<img src=x onerror=alert(1)>',
  '**<b>**',
  '`<i>`',
  '- <form>',
  '[<u>](https://a.example)',
  '[a](javascript:alert(1))',
  '[a](https://a.example/"onclick="alert(1))',
  '```\n<script>\n```',
  '```<s>\n```',
])('HTML and addresses of programs stay texts: %s', (text) => {
  expect(html(text)).not.toMatch(/<(?:img|b>|i>|form|u>|script|s>)|href="(?!https:\/\/a\.example)|onclick="/);
});

test('the client colours code', () => {
  const marked = new Marked({
    walkTokens: (token) => {
      token.text = `<span>${token.lang}</span>`;
      token.escaped = true;
    },
  });
  expect(marked.parse('```rego\na\n```')).toBe('<pre><code><span>rego</span></code></pre>');
});
