// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the format are written so
import { expect, test } from 'vitest';
import { parsedFormat } from '../../../../test/harness/verify/formats.js';
import { parseJson, toJson } from '../../../../values/json/json.js';
import { FileFormatError } from '../format.js';

test.each([
  ['a = "x\\ty ${f("z\\\\.")} \\u00e9\\x41"\nb = "$${x}"\n', '{"a":"x\\ty ${f(\\"z\\\\\\\\.\\")} éA","b":"$${x}"}'],
  ['a = <<-E\n    x\n\n      y\n    E\n', '{"a":"    x\\n\\n      y\\n"}'],
  ['a = <<-E\n    x\n      y\n    E\nb = <<E\nE \nE\n', '{"a":"x\\n  y\\n","b":"E \\n"}'],
  ['a = [,1,,{b = 2},[3]]\nc = -0x1F, d = 010\n', '{"a":[1,{"b":2},[3]],"c":-31,"d":8}'],
  ['{"a": {"b": {"c": 1}}, "d": [{"e": null}, [2]], "f": "x"}', '{"a":[{"b":[{"c":1}]}],"d":[{"e":""},[2]],"f":"x"}'],
])('the value of %j', async (text, json) => {
  expect(toJson(await parsedFormat('hcl1', text))).toBe(toJson(parseJson(json)));
});

test.each([
  ['a = 1\nb : 2\n'],
  ['a = [\n1 2]\n'],
  ['a = [\n{}\n{}]\n'],
  ['a = 1\ntrue = 2\n'],
  ['a = 1\nb = 9223372036854775808\n'],
  ['a = 1\nb = "\\q"\n'],
])('%j names its second line', async (text) => {
  const error = (await parsedFormat('hcl1', text).catch((thrown: unknown) => thrown)) as FileFormatError;
  expect(error).toBeInstanceOf(FileFormatError);
  expect(text.slice(0, error.offset).split('\n').length).toBeGreaterThanOrEqual(2);
});
