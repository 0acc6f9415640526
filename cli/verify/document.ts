/** `conftest doc`: Markdown from the annotations of policies. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Annotations, type Module, nameOfKey } from '../../compiler/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { ConfigFileError } from '../../views/node.js';
import { openCommandEngine } from '../eval/command-engine.js';
import type { Io } from '../io.js';
import { loadPolicies } from '../load-policies.js';

interface Section {
  readonly path: string;
  readonly annotations: Annotations;
}

interface DocumentOptions {
  readonly outFolder: string;
  /** A file with a template of Go, in the place of our own layout. */
  readonly template: string | undefined;
}

/** Writes a page for each folder. Rejects with a ConfigFileError. */
export async function documentPolicies(
  folders: readonly string[],
  { outFolder, template }: DocumentOptions,
  io: Io,
): Promise<number> {
  for (const folder of folders) {
    const modules = await modulesIn(folder);
    const sections = modules.flatMap(sectionsOf).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    const [first] = sections;
    if (first === undefined) throw new ConfigFileError(`generating document: no annotations found in ${folder}`);
    const depth = ({ path }: Section) => '#'.repeat(Math.max(1, depthOf(path) - depthOf(first.path) + 1));
    const text =
      template === undefined
        ? sections.map((section) => markdown(section, depth(section))).join('')
        : await rendered(template, sections, depth, io);
    const name = basename(resolve(folder));
    const isNamed = !/^(?:.*\/)?\.{1,2}\/?$/.test(folder);
    const page = join(outFolder, `${isNamed ? name : 'policy'}.md`);
    try {
      writeFileSync(page, text);
    } catch (error) {
      throw new ConfigFileError(`opening ${page} for writing output: ${systemProblem(error)}`);
    }
  }
  return 0;
}

async function modulesIn(folder: string): Promise<readonly Module[]> {
  try {
    if (!statSync(folder).isDirectory()) throw new ConfigFileError(`${folder} is not a directory`);
  } catch (error) {
    if (error instanceof ConfigFileError) throw error;
    throw new ConfigFileError(`stat ${folder}: ${systemProblem(error)}`);
  }
  try {
    const { parsed } = await loadPolicies([folder], { version: 'v1', capabilities: undefined, onlyRego: true });
    return parsed.filter(({ name }) => !name.endsWith('_test.rego')).map(({ module }) => module);
  } catch (error) {
    throw new ConfigFileError(`generating document: ${(error as Error).message}`);
  }
}

function sectionsOf({ annotations }: Module): Section[] {
  return annotations.map((block) => ({ path: block.path.slice(1).map(nameOfKey).join('.'), annotations: block }));
}

function depthOf(path: string): number {
  return path.split('.').length;
}

function markdown({ path, annotations }: Section, heading: string): string {
  const { title, description, relatedResources } = annotations;
  const links = relatedResources.map(
    (link) => `* ${link.description ? `[${link.description}](${link.ref})` : link.ref}\n`,
  );
  return [
    `${heading} ${path}${title ? ` - ${title}` : ''}\n\n`,
    description ? `${description.trimEnd()}\n\n` : '',
    links.length > 0 ? `Related Resources:\n\n${links.join('')}\n` : '',
  ].join('');
}

/** The sections by the fields that templates of conftest read. */
async function rendered(
  template: string,
  sections: readonly Section[],
  depth: (section: Section) => string,
  io: Io,
): Promise<string> {
  let text: string;
  try {
    text = readFileSync(template, 'utf8');
  } catch (error) {
    throw new ConfigFileError(`generating document: open ${template}: ${systemProblem(error)}`);
  }
  // Values of an object are visited in the order of its keys.
  const values = Object.fromEntries(
    sections.map((section, i) => [
      String(i).padStart(6, '0'),
      { H: depth(section), Path: section.path, Annotations: fieldsOf(section.annotations) },
    ]),
  );
  const engine = await openCommandEngine([], {}, {}, io);
  const input: PlainObject = { text, values: values as Value };
  const options = { strictBuiltinErrors: true };
  return await engine
    .query('page := strings.render_template(input.text, input.values)', input, options, ([found]) =>
      String(found?.page),
    )
    .catch((error: Error) => {
      throw new ConfigFileError(`generating document: ${error.message}`);
    });
}

function fieldsOf(block: Annotations): PlainObject {
  return {
    Scope: block.scope,
    Title: block.title ?? '',
    Description: block.description ?? '',
    Entrypoint: block.entrypoint,
    Organizations: block.organizations,
    RelatedResources: block.relatedResources.map(({ ref, description }) => ({ Ref: ref, Description: description })),
    Authors: block.authors.map(({ name, email }) => ({ Name: name, Email: email })),
    Custom: block.custom as Value,
  };
}
