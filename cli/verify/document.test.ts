import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runWith, withFiles } from '../../test/harness/command.js';

const files = {
  'pier/base.rego': `# METADATA
# title: Piers
# description: Rules of the pier
# scope: subpackages
package pier

# METADATA
# title: Weight
# description: |
#   No crane lifts more than it may.
# related_resources:
# - ref: https://host.example/a
# - ref: https://host.example/b
#   description: More
# authors:
# - Ann <ann@host.example>
deny contains "heavy" if input.weight > 5
`,
  'pier/inner/a.rego': '# METADATA\n# title: Inner\npackage pier.inner\n\n# METADATA\n# title: Name\np := 1\n',
  'pier/base_test.rego': '# METADATA\n# title: Not shown\npackage pier_test\n',
  'bare/a.rego': 'package bare\n',
  't.tpl':
    '{{ range . -}}\n{{ .H }} {{ .Path }}: {{ .Annotations.Title }}{{ range .Annotations.Authors }} by {{ .Name }}{{ end }}\n{{ end -}}\n',
};

async function document(args: readonly string[]) {
  return await withFiles(files, async (folder) => {
    const given = args.map((arg) => arg.replace('@', `${folder}/`));
    const { exit, stderr } = await runWith({}, ['conftest', ...given, '-o', folder]);
    const page = join(folder, 'pier.md');
    return {
      exit,
      stderr: stderr.replaceAll(`${folder}/`, ''),
      page: existsSync(page) ? readFileSync(page, 'utf8') : undefined,
    };
  });
}

test.each(['doc', 'document'])('conftest %s writes the annotations of a folder as a page', async (command) => {
  expect(await document([command, '@pier'])).toEqual({
    exit: 0,
    stderr: '',
    page: `# pier - Piers

Rules of the pier

## pier.deny - Weight

No crane lifts more than it may.

Related Resources:

* https://host.example/a
* [More](https://host.example/b)

## pier.inner - Inner

### pier.inner.p - Name

`,
  });
});

test('a template of Go gets the sections', async () => {
  expect((await document(['doc', '-t', '@t.tpl', '@pier'])).page).toBe(
    '# pier: Piers\n## pier.deny: Weight by Ann\n## pier.inner: Inner\n### pier.inner.p: Name\n',
  );
});

test('a page that cannot be written is named', async () => {
  await withFiles(files, async (folder) => {
    const { stderr } = await runWith({}, ['conftest', 'doc', `${folder}/pier/.`, '-o', join(folder, 'gone')]);
    expect(stderr).toBe(`Error: opening ${join(folder, 'gone/policy.md')} for writing output: no such file or directory\n`);
  });
});

test.each([
  [['doc'], 'Error: missing required arguments\n'],
  [['doc', '@gone'], 'Error: stat gone: no such file or directory\n'],
  [['doc', '@t.tpl'], 'Error: t.tpl is not a directory\n'],
  [['doc', '@bare'], 'Error: generating document: no annotations found in bare\n'],
  [['doc', '-t', '@gone', '@pier'], 'Error: generating document: open gone: no such file or directory\n'],
])('%j ends with an error', async (args, message) => {
  expect(await document(args)).toEqual({ exit: 1, stderr: message, page: undefined });
});
