import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.github/ISSUE_TEMPLATE');
const read = (path: string): string => readFileSync(path, 'utf8');

interface Form {
  readonly name: unknown;
  readonly description: unknown;
  readonly body: readonly { readonly type: string; readonly id: string; readonly attributes: { readonly label?: unknown } }[];
}

const forms = readdirSync(folder)
  .filter((name) => name !== 'config.yml')
  .map((name) => [name, load(read(join(folder, name))) as Form] as const);

// GitHub does not offer a form that lacks one of these.
test.each(forms)('%s has what a form needs', (_name, { name, description, body }) => {
  expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
  expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
  for (const { type, id, attributes } of body) {
    expect(['input', 'textarea', 'dropdown', 'checkboxes'], id).toContain(type);
    expect(attributes.label, id).toEqual(expect.any(String));
  }
});

test('the names of the forms differ', () => {
  expect(new Set(forms.map(([, { name }]) => name)).size).toBe(forms.length);
});

test('the dev container has the Node of the project', () => {
  const { image } = JSON.parse(read(join(root, '.devcontainer/devcontainer.json'))) as { image: string };
  const { devDependencies } = JSON.parse(read(join(root, 'package.json'))) as { devDependencies: { node: string } };
  expect(image.split(':')[1]).toBe(devDependencies.node.split('.')[0]);
});
