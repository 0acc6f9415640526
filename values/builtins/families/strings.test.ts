import { describe, expect, test } from 'vitest';
import { callBuiltin, testContext } from '../../../test/harness/builtins.js';
import { expectBoundedWork } from '../../../test/harness/cpu-time.js';
import type { Value } from '../../value.js';
import { HaltError } from '../builtin-errors.js';

/** An evaluation that may do so much and no more. */
function limited(units: number) {
  let left = units;
  return testContext(
    {},
    {
      tick: (spent) => {
        left -= spent;
        if (left < 0) throw new HaltError('eval_cancel_error', 'out of time');
      },
    },
  );
}

describe('what a caller can make us spend is bounded', () => {
  test.each<[string, string, Value[], string]>([
    ['a range without end', 'strings.render_template', ['{{range 1000000000000}}x{{end}}', {}], 'out of time'],
    [
      'a template within itself',
      'strings.render_template',
      ['{{define "T"}}{{template "T"}}{{end}}{{template "T"}}', {}],
      'exceeded maximum template depth',
    ],
    ['parentheses without end', 'strings.render_template', [`{{${'('.repeat(10_000)}1${')'.repeat(10_000)}}}`, {}], 'nests too deeply'],
    ['clauses without end', 'strings.render_template', ['{{if .x}}'.repeat(10_000), {}], 'nests too deeply'],
    ['a result that no string can hold', 'replace', ['a'.repeat(100_000), 'a', 'b'.repeat(100_000)], 'too long'],
    ['joined texts that no string can hold', 'concat', ['x'.repeat(600_000), Array(1000).fill('')], 'too long'],
  ])('%s', async (_title, name, operands, message) => {
    await expect(callBuiltin(name, operands, limited(10_000_000))).rejects.toThrow(message);
  });

  test('a value that nests deep is an error, not a crash', async () => {
    let deep: Value = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    await expect(callBuiltin('sprintf', ['%v', [deep]], testContext())).rejects.toThrow('nests too deeply');
    await expect(callBuiltin('json.marshal', [deep], testContext())).rejects.toThrow('nested too deeply');
    await expect(callBuiltin('yaml.marshal', [deep], testContext())).rejects.toThrow('exceeded max depth');
  });

  test('long texts and long cutsets take no quadratic time', async () => {
    const long = 'a'.repeat(300_000);
    await expectBoundedWork(async () => {
      expect(await callBuiltin('trim', [long, `${'b'.repeat(300_000)}a`], testContext())).toBe('');
      expect(await callBuiltin('indexof_n', [`😀${long}`, 'aa'], testContext())).toHaveLength(299_999);
    });
  });
});

test('a long list of prefixes is searched, not tried one by one', async () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `text-${i}-😀`);
  const parts = Array.from({ length: 5000 }, (_, i) => `none-${i}`);
  expect(await callBuiltin('strings.any_prefix_match', [texts, parts], testContext())).toBe(false);
  expect(await callBuiltin('strings.any_prefix_match', [texts, [...parts, 'text-4999']], testContext())).toBe(true);
  expect(await callBuiltin('strings.any_suffix_match', [texts, [...parts, '7-😀']], testContext())).toBe(true);
});

test('bytes that are no text survive from one encoding to the other', async () => {
  const bytes = await callBuiltin('base64.decode', ['gAD/YQ=='], testContext());
  expect(await callBuiltin('hex.encode', [bytes!], testContext())).toBe('8000ff61');
  expect(await callBuiltin('urlquery.encode', [bytes!], testContext())).toBe('%80%00%FFa');
});

test('lengths and positions in complaints count bytes', async () => {
  await expect(callBuiltin('urlquery.decode', ['b%+é'], testContext())).rejects.toThrow('invalid URL escape "%+\\xc3"');
  await expect(callBuiltin('base64url.decode', ['é'], testContext())).rejects.toThrow('illegal base64 data at input byte 0');
  await expect(callBuiltin('base64url.decode', ['éabc'], testContext())).rejects.toThrow('illegal base64url string: éabc');
});
