// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of formats are written so
import { expect, test } from 'vitest';
import { parsedFormat } from '../../../test/harness/verify/formats.js';
import { parseJson, toJson } from '../../../values/json/json.js';
import { FileFormatError } from './format.js';
import { formatOf, loadFormat, UnknownFormatError } from './formats.js';
import { jsonFinder } from './json-find.js';
import { TextLines } from './lines.js';
import { Marks, type PathKey } from './marks.js';

test.each<readonly [format: string, text: string, json: string]>([
  ['yaml', 'a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 0o7}\n', '{"a":{"b":1},"c":{"b":1},"d":{"b":1,"e":7}}'],
  ['yaml', '---\na: 1\n---\nb: off\n', '[{"a":1},{"b":false}]'],
  ['yaml', '%YAML 1.1\n---\na: 1\n', '{"a":1}'],
  ['yaml', '%TAG ! tag:x.org,2026:\n---\na: !y 1\n---\nb: 2\n', '[{"a":"1"},{"b":2}]'],
  ['yaml', 'a: 1\r\n---\nb: 2\n', '{"a":1}'],
  ['json', '{"a": [1, 2.5, "x"], "__proto__": 1}', '{"a":[1,2.5,"x"],"__proto__":1}'],
  ['jsonc', '{"a": 1, // one\n "b": "#//" /* two */}', '{"a":1,"b":"#//"}'],
  [
    'toml',
    'd = 2026-03-01\nt = 10:20:30\no = 2026-03-01T10:20:30.500+02:00\n',
    '{"d":"2026-03-01T00:00:00Z","o":"2026-03-01T10:20:30.5+02:00","t":"0000-01-01T10:20:30Z"}',
  ],
  ['toml', '[[a.b]]\nc = 1\n[a.b.d]\ne = 2\n[[a.b]]\n', '{"a":{"b":[{"c":1,"d":{"e":2}},{}]}}'],
  ['ini', '; note\n[s]\na = x # cut\nb: "q"\nc = t\nd = 0\n', '{"s":{"a":"x","b":"q","c":true,"d":0}}'],
  ['dotenv', 'A=1\nB="${A}2 $A"\nC=\'$A\'\nexport D = x y\n', '{"A":"1","B":"12 1","C":"$A","D":"x y"}'],
  ['properties', 'a = 1\nb = ${a}2\nc.d: x\\u0041\n', '{"a":"1","b":"${a}2","c.d":"xA"}'],
  [
    'dotenv',
    'A="x" # c "y"\nB="p\\"\nq"\nC=C:\\dir $b \\$A ${NO_SUCH_NAME:-d}\n',
    '{"A":"x\\" # c \\"y","B":"p\\"\\nq","C":"C:\\\\dir $b $A :-d}"}',
  ],
  ['ini', '[ s ]\n- = a\n- = b;c\n[t]\n- = `x`y`\nu = "v \\\n # w"\n', '{" s ":{"#1":"a","#2":"b"},"t":{"#1":"x`y","u":"\\"v # w\\""}}'],
  ['toml', '\ufefft = 10:20\nd = 2026-01-01T01:02\n', '{"t":"0000-01-01T10:20:00Z","d":"2026-01-01T01:02:00Z"}'],
  ['json', '\ufeff{"a": 1}', '{"a":1}'],
  ['xml', '<a x="1"><!-- n --><b>t</b><b/><c><![CDATA[<d>]]></c></a>', '{"a":{"-x":"1","b":["t",""],"c":"<d>"}}'],
  [
    'dockerfile',
    'FROM a\nENV A=1 B="c d"\nRUN x && \\\n  # note\n  y\nCOPY <<E /f\nRUN no\nE\nEXPOSE 80 81\n',
    '[[{"Cmd":"from","Flags":[],"JSON":false,"Stage":0,"SubCmd":"","Value":["a"]},{"Cmd":"env","Flags":[],"JSON":false,"Stage":0,"SubCmd":"","Value":["A","1","=","B","\\"c d\\"","="]},{"Cmd":"run","Flags":[],"JSON":false,"Stage":0,"SubCmd":"","Value":["x \\u0026\\u0026   y"]},{"Cmd":"copy","Flags":[],"JSON":false,"Stage":0,"SubCmd":"","Value":["<<E","/f"]},{"Cmd":"expose","Flags":[],"JSON":false,"Stage":0,"SubCmd":"","Value":["80","81"]}]]',
  ],
  [
    'hcl2',
    'a = "${x.y}" == null ? 1 : -2\nb = -2\nc = !true\nd = "$${x} ${1}%{ if z }y%{ else }n%{ endif }"\n',
    '{"a":"${\\"${x.y}\\" == null ? 1 : -2}","b":-2,"c":false,"d":"${x} 1%{if z}y%{else}n%{endif}"}',
  ],
  [
    'hcl2',
    'r "a" "b" { s { t = [\n 1, # one\n x::f(2)...\n] } }\n'.replace('...', ''),
    '{"r":{"a":{"b":[{"s":[{"t":[1,"${x::f(2)}"]}]}]}}}',
  ],
  ['hcl2', 'a = "\\ud800 \\UFFFFFFFF \\U0001F600"\n', '{"a":"\ufffd \ufffd 😀"}'],
  ['hcl1', 'a = "\\ud800"\n', '{"a":"\ufffd"}'],
  ['hcl1', 'a = 010\nb = -0x1F\n', '{"a":8,"b":-31}'],
  ['hcl1', 'a "b" { c = "x${y("z")}" }\na "b" { c = <<E\nt\nE\n}\n', '{"a":[{"b":[{"c":"x${y(\\"z\\")}"}]},{"b":[{"c":"t\\n"}]}]}'],
  [
    'nginx',
    'map $a $b { default "x;"; ~*^/y 1; } # note\n',
    '{"directives":[{"block":{"directives":[{"name":"default","parameters":["\\"x;\\""]},{"name":"~*^/y","parameters":["1"]}]},"name":"map","parameters":["$a","$b"]}]}',
  ],
  [
    'nginx',
    'http { server { } upstream u { server a b=1 a=2; zone z; } gzip on; }',
    '{"directives":[{"block":{"directives":[{"block":{"directives":[{"name":"zone","parameters":["z"]},{"name":"server","parameters":["a","a=2","b=1"]}]},"name":"upstream","parameters":["u"]},{"name":"gzip","parameters":["on"]},{"block":{"directives":[]},"name":"server"}]},"name":"http"}]}',
  ],
  [
    'nginx',
    'content_by_lua_block { t = {"x"\n# }\n } }\nuser a;',
    '{"directives":[{"block":{"directives":[]},"name":"content_by_lua_block"},{"name":"user","parameters":["a"]}]}',
  ],
  [
    'edn',
    '{:a #{2 1}, :b #_ 3 "x\\n" ; note\n :c -4N :d \\newline}',
    '{":a":"map[1:true 2:true]",":b":"x\\n",":c":"{true [4]}",":d":"10"}',
  ],
  ['hocon', 'a = 1\nb = x\nc { d = ${a} }\ne = ${?NO_SUCH_NAME}\n', '{"a":1,"b":"x","c":{"d":1}}'],
  ['hocon', 'a { b = 1, c = [1, "x y"] }\na.d = ${a.b}\ne: { f = ${?NO_SUCH_NAME} }\n', '{"a":{"b":1,"c":"[1,\\"x y\\"]","d":1},"e":{}}'],
  ['ignore', '\\#a\n', '[[{"Kind":"Path","Original":"\\\\#a","Value":"#a"},{"Kind":"Empty","Original":"","Value":""}]]'],
  ['jsonc', '{"a": 1} /* open', '{"a":1}'],
  ['node -e process.stdin.pipe(process.stdout) -', '{"a": 1}', '{"a":1}'],
])('%s: the value of %j', async (name, text, json) => {
  expect(toJson(await parsedFormat(name, text))).toBe(toJson(parseJson(json)));
});

test.each([
  ['yaml', 'a: 1\nb: [1\n'],
  ['json', '{"a": 1,\n}'],
  ['jsonc', '{"a": 1 // x\n'],
  ['toml', 'a = 1\nb\n'],
  ['ini', '[s]\nx\n'],
  ['dotenv', 'A=1\nx y\n'],
  ['properties', 'a = 1\nb = ${c\n'],
  ['xml', '<a>\n<b></a>'],
  ['dockerfile', 'FROM a\nRNU x\n'],
  ['hcl2', 'a = 1\nb = [1,\n'],
  ['hcl1', 'a = 1\nb {\n'],
  ['nginx', 'user a;\nhttp {\n'],
  ['nginx', 'user a;\nuser "b;\n'],
  ['nginx', 'a b;\nlocation a b c { }\n'],
  ['nginx', 'a b;\ninclude a b;\n'],
  ['edn', '{:a 1\n :b'],
  ['hocon', 'a { b = 1 }\nc { d = ['],
  ['spdx', 'SPDXVersion: SPDX-2.3\nhello\n'],
  ['cyclonedx', '<bom>\n<components></bom>'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nSPDXID: DOC\n'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nRelationship: SPDXRef-A CONTAINS\n'],
  ['spdx', 'SPDXVersion: SPDX-2.3\nCreator: Robot: x\n'],
  ['jsonc', '{"a": 1,\n "b": /* x\n 1}'],
  ['xml', '<a>\n<b c=1/></a>'],
  ['xml', '<a>\n<b c/></a>'],
  ['properties', 'a = 1\nb = \\u00g\n'],
])('%s: a broken text names its second line or the end', async (name, text) => {
  const error = await parsedFormat(name, text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FileFormatError);
  const { offset } = error as FileFormatError;
  expect(text.slice(0, offset ?? 0).split('\n').length).toBeGreaterThanOrEqual(2);
});

test.each([
  ['jsonc', '{"a": 1,\n "b": /* x\n 1}', 2],
  ['toml', 'a = \nb = 1\n', 1],
  ['xml', '<a>\n<b c=1/></a>', 2],
])('%s: the error of %j is in line %i', async (name, text, line) => {
  const error = (await parsedFormat(name, text).catch((thrown: unknown) => thrown)) as FileFormatError;
  expect(text.slice(0, error.offset).split('\n').length).toBe(line);
});

test('a large XML text is read in a time that grows with its length', async () => {
  const item = '<item id="a">\n  <name>x</name>\n</item>\n';
  const text = `<list>\n${item.repeat(20_000)}</list>`;
  const marks = new Marks();
  const { format } = await loadFormat('xml');
  const value = format.parse(text, { path: 'file' }, marks);
  const found = marks.find(value, ['list', 'item', 19_999, 'name']);
  expect(text.slice(0, found!.start).split('\n').length).toBe(2 + 19_999 * 3 + 1);
});

test.each<readonly [format: string, text: string, path: readonly PathKey[], line: number, depth: number]>([
  ['yaml', 'a:\n  - b: 1\n  - b: 2\n    c: 3\n', ['a', 1, 'c'], 4, 3],
  ['yaml', 'a:\n  - b: 1\n', ['a', 0, 'x', 'y'], 2, 2],
  ['yaml', 'a: 1\n---\n\nb: 1\n', [1, 'b'], 4, 2],
  ['yaml', 'x: &x\n  k: 1\nz:\n  <<: *x\n', ['z', 'k'], 2, 2],
  ['json', '{\n "a": {\n  "b": [1,\n 2]}}', ['a', 'b', 1], 4, 3],
  ['toml', '[a]\nb = 1\n[[c]]\nd = 1\n[[c]]\nd = 2\n', ['c', 1, 'd'], 6, 3],
  ['ini', '[s]\na = 1\nb = 2\n', ['s', 'b'], 3, 2],
  ['dotenv', 'A=1\nB=2\n', ['B'], 2, 1],
  ['properties', '# n\na = 1\n', ['a'], 2, 1],
  ['xml', '<a>\n <b n="1"\n  m="2"/>\n</a>', ['a', 'b', '-m'], 3, 3],
  ['dockerfile', 'FROM a\n# n\nRUN x\n', [0, 2], 3, 2],
  ['hcl2', 'r "a" "b" {\n c = 1\n d { e = 2 }\n}\n', ['r', 'a', 'b', 0, 'd', 0, 'e'], 3, 7],
  ['hcl1', 'a "b" {\n c = 1\n}\n', ['a', 0, 'b', 0, 'c'], 2, 5],
  ['nginx', 'user a;\nhttp {\n gzip on;\n}\n', ['directives', 1, 'block', 'directives', 0], 3, 5],
  ['edn', '{:a 1\n :b [1\n 2]}', [':b', 1], 3, 2],
  ['hocon', 'a {\n b = 1\n c = 2\n}\n', ['a', 'c'], 3, 2],
  ['ignore', 'a\nb\n', [0, 1], 2, 2],
  ['spdx', 'SPDXVersion: SPDX-2.3\nPackageName: a\nPackageVersion: 1\nSPDXID: SPDXRef-a', ['packages', 0, 'versionInfo'], 3, 3],
  ['cyclonedx', '{"components": [\n{"name": "a"}]}', ['components', 0, 'name'], 2, 3],
])('%s: in %j the place of %j is line %i', async (name, text, path, line, depth) => {
  const marks = new Marks();
  const { format } = await loadFormat(name);
  const found = marks.find(format.parse(text, { path: 'file' }, marks), path);
  expect(found?.depth).toBe(depth);
  expect(text.slice(0, found!.start).split('\n').length).toBe(line);
});

test.each([
  ['a/Dockerfile.dev', 'dockerfile'],
  ['x.dockerfile', 'dockerfile'],
  ['.env.local', 'dotenv'],
  ['nginx.conf', 'nginx'],
  ['main.tf', 'hcl2'],
  ['a.YML', 'yaml'],
  ['.gitignore', 'ignore'],
  ['Jenkinsfile', 'groovy'],
])('the format of %s is %s', (path, name) => {
  expect(formatOf(path)).toBe(name);
});

test.each([
  ['yaml', 'KEY:\n  KEY: 1\nb: &x {KEY: 2}\nc: {<<: *x}\n', '{"KEY":{"KEY":1},"b":{"KEY":2},"c":{"KEY":2}}'],
  ['toml', '[KEY]\nKEY.KEY = 1\n[[a.KEY]]\nKEY = 2\n', '{"KEY":{"KEY":{"KEY":1}},"a":{"KEY":[{"KEY":2}]}}'],
  ['ini', '[KEY]\nKEY = x\n', '{"KEY":{"KEY":"x"}}'],
  ['dotenv', 'KEY=1\n', '{"KEY":"1"}'],
  ['properties', 'KEY=1\nb=${KEY}${toLocaleString}\n', '{"KEY":"1","b":"${KEY}${toLocaleString}"}'],
  ['xml', '<KEY KEY="1"><KEY>a</KEY></KEY>', '{"KEY":{"-KEY":"1","KEY":"a"}}'],
  ['hcl2', 'KEY "KEY" "KEY" { KEY = 1 }\n', '{"KEY":{"KEY":{"KEY":[{"KEY":1}]}}}'],
  ['hcl1', 'KEY "KEY" { KEY = 1 }\n', '{"KEY":[{"KEY":[{"KEY":1}]}]}'],
  ['edn', '{:KEY "x" "KEY" 1}', '{":KEY":"x","KEY":"1"}'],
  ['hocon', 'KEY { KEY = 1 }\nb { c = ${KEY.KEY}, d = ${?toLocaleString} }', '{"KEY":{"KEY":1},"b":{"c":1}}'],
  ['json', '{"KEY": {"KEY": 1}}', '{"KEY":{"KEY":1}}'],
  ['jsonc', '{"KEY": {"KEY": 1}}', '{"KEY":{"KEY":1}}'],
])('%s: keys are those of no prototype', async (name, text, json) => {
  for (const key of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
    const value = await parsedFormat(name, text.replaceAll('KEY', key));
    expect(toJson(value)).toBe(toJson(parseJson(json.replaceAll('KEY', key))));
  }
});

test.each([
  ['edn', '\\constructor', undefined],
  ['spdx', 'SPDXVersion: SPDX-2.3\nconstructor: x\n', 'received unknown tag constructor'],
])('%s: %j has no word of a prototype', async (name, text, message) => {
  const value = parsedFormat(name, text);
  if (message !== undefined) await expect(value).rejects.toThrow(message);
  else expect(typeof (await value)).toBe('string');
});

test('a format without a parser names a command', async () => {
  await expect(loadFormat('cue')).rejects.toThrow(UnknownFormatError);
  await expect(loadFormat('cue')).rejects.toThrow('--parser "cue export -"');
});

test.each<readonly [path: readonly PathKey[], found: string | undefined, depth: number]>([
  [['a', 1, 'b'], '"b": "x\\"]"', 3],
  [['a', 0], '{"a]": [1, {}]}', 2],
  [['a', 1, 'c', 'd'], '{"b": "x\\"]", "e":null }', 2],
  [['f'], '"f": -1.5', 1],
  [['g', 5], '"g" :[ ]', 1],
  [['h'], undefined, 0],
])('a long JSON text: the part at %j', (path, found, depth) => {
  const text = '{ "a": [{"a]": [1, {}]},\n{"b": "x\\"]", "e":null }], "f": 1, "f": -1.5, "g" :[ ] }';
  const find = jsonFinder(text);
  find(['a', 1]);
  const range = find(path);
  expect(range && text.slice(range.start, range.end)).toBe(found);
  expect(range?.depth ?? 0).toBe(depth);
});

test('a long JSON text has the places that marks have, asked for in any order', async () => {
  const text = '{"a\\"": [{"b": [1, "x\\\\"]}, [], "]"], "c": {"d": {}, "e\\u0041": {"f": null}}, "g": "{"}';
  const marks = new Marks();
  const value = (await loadFormat('json')).format.parse(text, { path: 'file' }, marks);
  const paths: PathKey[][] = [];
  const visit = (part: unknown, path: readonly PathKey[]): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, inner] of Object.entries(part)) {
      const below = [...path, Array.isArray(part) ? Number(name) : name];
      paths.push(below);
      visit(inner, below);
    }
  };
  visit(value, []);
  expect(paths.length).toBe(12);
  const find = jsonFinder(text);
  for (const path of paths.reverse()) expect(find(path), path.join('.')).toEqual(marks.find(value, path));
});

test.each([
  ['a\nbb\r\n\ncc', 3, 2, ['bb', '']],
  ['a\nbb\r\n\ncc', 7, 9, ['cc']],
  ['a\n', 2, 1, ['']],
  ['a', 1, 3, ['a']],
])('the lines of %j from offset %i on', (text, offset, count, shown) => {
  expect(new TextLines(text).shown(offset, count)).toEqual(shown);
});

test('a place is counted by lines and columns from 1', () => {
  const lines = new TextLines('a\nbb\n\nc');
  const places = [0, 1, 2, 4, 5, 6, 7].map((offset) => Object.values(lines.place(offset)).join(':'));
  expect(places).toEqual(['1:1', '1:2', '2:1', '2:3', '3:1', '4:1', '4:2']);
});

test.each([
  ['<a/><b c="1"/><a>x</a>', '{"a": ["", "x"], "b": {"-c": "1"}}'],
  ['<?xml version="1.0"?>\n<a/>\n<b/>', '{"a": "", "b": ""}'],
  [' only text ', '"only text"'],
  ['<a>', '""'],
  ['<a>&nothing;</a>', '""'],
  ['', '""'],
])('conftest reads the broken XML %j', async (text, json) => {
  const { format } = await loadFormat('xml');
  expect(() => format.parse(text, { path: 'file' })).toThrow(FileFormatError);
  expect(toJson(format.parseBroken!(text))).toBe(toJson(parseJson(json)));
});

const layers = Array.from({ length: 60 }, (_, i) => i + 1);

test.each([
  ['dockerfile', '# escape=`\nFROM a\nENV \\', 'ENV must have two arguments'],
  ['dockerfile', 'FROM a\nENV a=b c d e', "can't find = in a pair"],
  ['hocon', '. = 1', 'expected a key'],
  ['dotenv', `A0=xx\n${layers.map((i) => `A${i}=$A${i - 1}$A${i - 1}\n`).join('')}`, 'expand to too much'],
  ['properties', `a0 = \n${layers.map((i) => `a${i} = \${a${i - 1}}\${a${i - 1}}\n`).join('')}`, 'too many references'],
  ['properties', `a0 = x\n${Array.from({ length: 5000 }, (_, i) => `a${i + 1} = \${a${i}}\n`).join('')}`, 'too many references'],
  ['edn', '#_'.repeat(50_000), 'nest too deeply'],
  ['edn', '#a '.repeat(50_000), 'nest too deeply'],
  ['hcl2', `a = ${'b ? 1 : '.repeat(20_000)}2\n`, 'nest too deeply'],
  ['hcl2', `a = "${'%{ if b }'.repeat(20_000)}"\n`, 'nest too deeply'],
  ['cyclonedx', '{"version": true}', 'cannot unmarshal boolean'],
  ['ini', '[a]\nb = `c\nd\n', 'missing closing key quote'],
  ['hocon', 'a { b = ${a} }', 'a reference leads to'],
  ['hocon', 'a { b = [1, ${a}] }', 'a reference leads to'],
  ['hocon', 'a { b = [1] [${a.b}] }', 'nest too deeply'],
  ['hcl1', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`, 'nest too deeply'],
  ['hocon', `a.k0 = x\n${layers.map((i) => `a.k${i} = \${a.k${i - 1}}\${a.k${i - 1}}\n`).join('')}`, 'expand to too much'],
  ['hocon', `a.k0 = [1]\n${layers.map((i) => `a.k${i} = [\${a.k${i - 1}}, \${a.k${i - 1}}]\n`).join('')}`, 'expand to too much'],
  ['hocon', `a.k0 {}\n${layers.map((i) => `a.k${i} { x = \${a.k${i - 1}}, y = \${a.k${i - 1}} }\n`).join('')}`, 'expand to too much'],
])('%s: a text that is odd or stands for too much is an error of its format', async (format, text, message) => {
  const error = (await parsedFormat(format, text).catch((thrown: unknown) => thrown)) as FileFormatError;
  expect(error).toBeInstanceOf(FileFormatError);
  expect(error.message).toContain(message);
});

test('of merged maps in a list, the first that has a key has its place', async () => {
  const text = 'v: &v {k: 1}\nw: &w {k: 2, l: 3}\nb:\n  <<: [*v, *w]\nc:\n  <<: [*w, *v]\n  l: 4\n';
  const marks = new Marks();
  const value = (await loadFormat('yaml')).format.parse(text, { path: 'a.yaml' }, marks);
  const written = (...path: readonly PathKey[]) => {
    const range = marks.find(value, path);
    return range && text.slice(range.start, range.end);
  };
  expect([written('b', 'k'), written('b', 'l'), written('c', 'k'), written('c', 'l')]).toEqual(['k: 1', 'l: 3', 'k: 2', 'l: 4']);
});
