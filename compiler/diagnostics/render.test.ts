import { expect, test } from 'vitest';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { Diagnostics, diagnose } from './diagnostics.js';
import { diagnosticToJson, renderDiagnostic, renderDiagnostics } from './render.js';

const source = new Source('p.rego', 'package p\n\n\tx := "é" !\n');
const bang = new Span(source, source.text.indexOf('!'), source.text.indexOf('!') + 1);

test('an error shows its place, its line and a caret', () => {
  const details = { line: '\tx := "é" !', idx: 10 };
  const diagnostic = diagnose('illegalToken', bang, { reason: 'illegal ! character' }, details);
  expect(renderDiagnostic(diagnostic)).toBe('p.rego:3: rego_parse_error: illegal ! character\n\tx := "é" !\n\t         ^');
  expect(diagnosticToJson(diagnostic)).toEqual({
    code: 'rego_parse_error',
    message: 'illegal ! character',
    location: { file: 'p.rego', row: 3, col: 11 },
    details,
  });
});

test('one error and many have different headlines', () => {
  const diagnostic = diagnose('packageExpected', bang, {});
  expect(renderDiagnostics([diagnostic])).toBe('1 error occurred: p.rego:3: rego_parse_error: package expected');
  expect(renderDiagnostics([diagnostic, diagnostic])).toBe(
    '2 errors occurred:\np.rego:3: rego_parse_error: package expected\np.rego:3: rego_parse_error: package expected',
  );
});

test('the collector stops at its limit and says so', () => {
  const diagnostics = new Diagnostics(2);
  for (let i = 0; i < 5; i++) diagnostics.report('packageExpected', bang, {});
  expect(diagnostics.list.map(({ message }) => message)).toEqual(['package expected', 'package expected', 'error limit reached']);
  expect(diagnostics.full).toBe(true);
});

test('positions count code points, lines end before their break', () => {
  const text = new Source('t', 'a😀b\r\nsecond\n');
  expect(text.position(3)).toEqual({ row: 1, col: 3 });
  expect(text.position(text.text.length)).toEqual({ row: 3, col: 1 });
  expect([text.line(1), text.line(2), text.line(3), text.line(4)]).toEqual(['a😀b', 'second', '', '']);
});
