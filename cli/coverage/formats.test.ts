import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const files = {
  'a.rego': `package a

# <b>"&"</b>
allow if {
	input.method == "GET"
	input.role == "reader"
}

allow if input.method == "POST"

deny contains x if { some x in input.xs; x > 3 }
`,
  'sub/a.rego': 'package b\n\nc := 1\n',
  'a_test.rego': 'package a_test\n\ntest_get if data.a.allow with input as {"method": "GET", "role": "reader"}\n',
};

async function coverage(...flags: string[]): Promise<string> {
  return await withFiles(files, async (dir) => {
    const { stdout, exit } = await runCommand('test', ...flags, dir);
    expect(exit).toBe(0);
    return stdout.replaceAll(`${dir}/`, '');
  });
}

/** By file, the records of lcov. */
function recordsOf(text: string): Record<string, readonly string[]> {
  const records = text.split('end_of_record\n').filter((record) => record !== '');
  return Object.fromEntries(records.map((record) => [/^SF:(.*)$/m.exec(record)![1]!, record.trim().split('\n').slice(2)]));
}

test('lcov has the rows, and the parts of rows that ran in part', async () => {
  expect(recordsOf(await coverage('-f', 'lcov'))).toEqual({
    'a.rego': ['BRF:0', 'BRH:0', 'DA:4,1', 'DA:5,1', 'DA:6,1', 'DA:9,0', 'DA:11,0', 'LF:5', 'LH:3'],
    'a_test.rego': ['BRF:0', 'BRH:0', 'DA:3,1', 'LF:1', 'LH:1'],
    'sub/a.rego': ['BRF:0', 'BRH:0', 'DA:3,0', 'LF:1', 'LH:0'],
  });
  const partly = { 'p.rego': 'package p\n\np if { 1 > 2; 3 < 4 }\n\ntest_p if not p\n' };
  await withFiles(partly, async (dir) => {
    const { stdout } = await runCommand('test', '-f', 'lcov', dir);
    expect(stdout).toContain('BRDA:3,0,0,1\nBRDA:3,0,1,0\nBRDA:3,0,2,0\nBRF:3\nBRH:1\nDA:3,1\n');
  });
});

test('the counts of all formats are those of the report', async () => {
  const { covered_lines: covered, not_covered_lines: missing } = JSON.parse(await coverage('--coverage'));
  const lcov = Object.values(recordsOf(await coverage('-f', 'lcov'))).flat();
  const sum = (key: string) => lcov.reduce((total, line) => total + (line.startsWith(`${key}:`) ? Number(line.slice(3)) : 0), 0);
  expect([sum('LH'), sum('LF') - sum('LH')]).toEqual([covered, missing]);
  const xml = await coverage('-f', 'cobertura');
  expect(xml).toContain(`lines-covered="${covered}" lines-valid="${covered + missing}"`);
});

test('cobertura has a class for each file, by directory', async () => {
  const xml = await coverage('-f', 'cobertura');
  expect(xml.match(/<package name="[^"]*"/g)).toHaveLength(2);
  expect(xml.match(/<class name="[^"]*"/g)).toEqual(['<class name="a.rego"', '<class name="a_test.rego"', '<class name="sub/a.rego"']);
  expect(xml).toContain('<line number="9" hits="0" branch="false"/>');
  // Each element that begins ends.
  const open: string[] = [];
  for (const [, close, name, single] of xml.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
    if (close === '/') expect(open.pop()).toBe(name);
    else if (single === '') open.push(name!);
  }
  expect(open).toEqual([]);
});

test('pages show the source with its parts marked, and texts of policies are no HTML', () =>
  withFiles(files, async (dir) => {
    const { stdout } = await runCommand('test', '-f', 'html', '-o', `${dir}/out/pages`, dir);
    expect(stdout).toBe(`coverage 57.14 %: ${dir}/out/pages/index.html\n`);
    const names = readdirSync(`${dir}/out/pages`);
    expect(names).toHaveLength(4);
    const page = readFileSync(`${dir}/out/pages/${names.find((name) => /[^b]_a\.rego\.html$/.test(name))}`, 'utf8');
    expect(page).toContain('&lt;b&gt;&quot;&amp;&quot;&lt;/b&gt;');
    expect(page).toContain('<span class="ran">input.method == &quot;GET&quot;</span>');
    expect(page).toMatch(/<tr id="L9" class="missing">.*<span class="missed" title="not evaluated">allow<\/span>/);
    expect(page).toContain('<th scope="row"><a href="#L11">deny</a></th><td>0.0 %</td><td>1</td><td>1</td>');
    const index = readFileSync(`${dir}/out/pages/index.html`, 'utf8');
    for (const [, link] of index.matchAll(/href="([^"#]+)"/g)) expect(names).toContain(decodeURIComponent(link!));
  }));

test('a part that an optimization leaves out says which', () =>
  withFiles(
    {
      'a.rego':
        'package a\n\nallow if {\n\tinput.method == "GET"\n\tinput.x\n}\n\nallow if {\n\tinput.method == "POST"\n\tinput.y\n}\n\ntest_a if not allow with input as {"method": "GET"}\n',
    },
    async (dir) => {
      await runCommand('test', '-f', 'html', '-o', `${dir}/out`, dir);
      const name = readdirSync(`${dir}/out`).find((each) => each !== 'index.html')!;
      const page = readFileSync(`${dir}/out/${name}`, 'utf8');
      expect(page).toContain('<span class="index_excluded" title="left out by the rule index: constants exclude the rule">input.method');
    },
  ));

test('coverage may be written to a file', () =>
  withFiles(files, async (dir) => {
    const { stdout } = await runCommand('test', '-f', 'lcov', '-o', `${dir}/lcov.info`, dir);
    expect([stdout, readFileSync(`${dir}/lcov.info`, 'utf8').startsWith('TN:\nSF:')]).toEqual(['', true]);
    const refused = await runCommand('test', '-f', 'lcov', '-o', `${dir}/none/lcov.info`, dir);
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('no such file or directory')]);
  }));

test.each([
  [['-f', 'html'], '-f html needs a directory'],
  [['-o', 'x'], '--output goes with --coverage'],
])('%j is refused', async (flags, message) => {
  const { exit, stderr } = await runCommand('test', ...flags, '.');
  expect([exit, stderr]).toEqual([1, expect.stringContaining(message)]);
});
