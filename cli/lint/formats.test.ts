import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const rule = `# METADATA
# description: |
#   Words in
#   two lines, 100% sure
package custom.regal.rules.dock.lines

import data.regal.result

report contains violation if {
	some rule in input.rules
	violation := result.fail(rego.metadata.chain(), result.location(rule))
}
`;

/** The report about a file of an odd name, whose line has a control character and `]]>`. */
async function report(format: string): Promise<string> {
  const files = { '.regal/rules/x.rego': rule, 'p,q%:/a b.rego': 'package p\n\na := "]]>" # \u0001 x\n' };
  return withFiles(files, async (directory) => {
    const { stdout } = await runCommand('lint', '-D', '-e', 'lines', '-f', format, '--no-color', `${directory}/p,q%:`);
    return stdout.replaceAll(directory, 'DIR').replaceAll(encodeURIComponent(directory), 'DIR');
  });
}

test('commands of a workflow stand in one line, and their values are escaped', async () => {
  const command = (await report('github')).split('\n').filter((line) => line.startsWith('::'));
  expect(command).toEqual([
    '::error file=DIR/p%2Cq%25%3A/a b.rego,line=3,col=1::Words in%0Atwo lines, 100%25 sure%0A. To learn more, see: ',
  ]);
});

test('JUnit has no characters that XML cannot hold', async () => {
  const text = await report('junit');
  expect(text).not.toContain('\u0001');
  expect(text).toContain('Text: a := "]]]]><![CDATA[>" # \\u0001 x\n');
});

test.each(['pretty', 'compact'])('%s shows a description of two lines in one', async (format) => {
  expect(await report(format)).toContain('Words in two lines, 100% sure ');
});

test('SARIF names files by references, and has only the levels that it knows', async () => {
  const files = {
    '.regal/config.yaml': 'rules:\n  style:\n    todo-comment:\n      level: fatal\n',
    'x:y/a #1?ä.rego': 'package p\n\n# todo\na := 1\n',
  };
  await withFiles(files, async (directory) => {
    const { stdout } = await runCommand('lint', '-D', '-e', 'todo-comment', '--disable', 'opa-fmt', '-f', 'sarif', `${directory}/x:y`);
    const [{ artifacts, results }] = JSON.parse(stdout).runs;
    const [{ locations, level }] = results;
    expect({ uri: locations[0].physicalLocation.artifactLocation.uri, level }).toEqual({
      uri: `${directory}/x:y/a%20%231%3F%C3%A4.rego`,
      level: 'error',
    });
    expect(artifacts[0].location.uri).toBe(locations[0].physicalLocation.artifactLocation.uri);
  });
  await withFiles(files, async (directory) => {
    const { stdout } = await runCommand('lint', '-f', 'sarif', `${directory}/x:y`);
    const levels = JSON.parse(stdout).runs[0].results.map(({ level }: { level: string }) => level);
    expect(new Set(levels)).toEqual(new Set(['error', 'warning']));
  });
});
