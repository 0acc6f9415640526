/** The pages of the site, in the order in which a reader of each role needs them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Link {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: readonly Link[];
}

const docs = join(import.meta.dirname, '..');

/** A folder for each role. */
const roles = {
  start: 'Start',
  author: 'Policy authors',
  service: 'Service developers',
  platform: 'Platform engineers',
  operator: 'Operators',
  plan: 'Authors of plans',
};

/** The pages beside the folders. */
const reference = {
  'Command line': [
    'cli',
    'lint',
    'lint/rules',
    'verify',
    'why',
    'debug',
    'language-server',
    'editors',
    'inspect',
    'inspector',
    'playground',
    'recordings',
  ],
  Library: ['library', 'sdk', 'types', 'modules', 'bundlers', 'browser', 'guards', 'react', 'filters', 'opa-wasm'],
  Server: ['http', 'services', 'plugins', 'storage', 'deploy', 'kubernetes'],
  Gateways: ['envoy', 'forward-auth', 'authzen'],
  Plans: ['plan', 'debug-info'],
};

/** Pages for contributors; they are no part of the site. */
export const contributors = ['architecture.md', 'decisions/**', 'internals/**', 'api/**'];

/** The groups of the sidebar. A page that no group of the reference has is in the last one. */
function sidebar(): Group[] {
  const listed = new Set([...Object.values(reference).flat(), 'index', 'architecture']);
  const others = pagesIn('.').filter((name) => !listed.has(name));
  return [
    ...Object.entries(roles).map(([folder, text]) => ({
      text,
      items: [...(folder === 'start' ? [first] : []), ...pagesOf(folder)],
    })),
    ...Object.entries({ ...reference, More: others }).map(([text, names]) => ({
      text,
      items: names
        .filter((name) => existsSync(join(docs, `${name}.md`)))
        .map((name) => ({ text: pageTitle(name), link: `/${name}` })),
    })),
  ].filter(({ items }) => items.length > 0);
}

/** The sidebars by the paths below which they stand: rules of the linter have one of their own. */
export function sidebars(): Record<string, Group[]> {
  return { '/': sidebar(), '/lint/': [{ text: 'Linter', items: linterPages() }, ...ruleGroups()] };
}

function linterPages(): Link[] {
  return ['lint', 'lint/rules'].map((name) => ({ text: pageTitle(name), link: `/${name}` }));
}

/** A group for each category of rules, which is a folder. */
function ruleGroups(): Group[] {
  return readdirSync(join(docs, 'lint'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ text: name, items: pagesOf(`lint/${name}`) }));
}

/** What a reader sees first. */
const first = { text: 'What writ is', link: '/' };

/** The first page of each role. */
export function firstPages(): Link[] {
  return Object.entries(roles).flatMap(([folder, text]) =>
    pagesOf(folder)
      .slice(0, 1)
      .map(({ link }) => ({ text, link })),
  );
}

/** The pages of a role by their `order`; its index is the folder itself. */
function pagesOf(folder: string): Link[] {
  return pagesIn(folder)
    .map((name) => `${folder}/${name}`)
    .map((name) => ({
      text: pageTitle(name),
      link: `/${name.replace(/\/index$/, '/')}`,
      order: Number(frontMatter(name, 'order') ?? 100),
    }))
    .sort((a, b) => a.order - b.order || a.text.localeCompare(b.text))
    .map(({ text, link }) => ({ text, link }));
}

function pagesIn(folder: string): string[] {
  const path = join(docs, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
}

function pageTitle(name: string): string {
  const heading = /^# (.*)$/m.exec(textOf(name))?.[1];
  const title = frontMatter(name, 'title') ?? heading;
  if (title === undefined) throw new Error(`docs/${name}.md has neither a title nor a heading`);
  return title.replaceAll('`', '');
}

function frontMatter(name: string, key: string): string | undefined {
  const matter = /^---\n(.*?)\n---\n/s.exec(textOf(name))?.[1] ?? '';
  return new RegExp(`^${key}: *(.*)$`, 'm').exec(matter)?.[1];
}

function textOf(name: string): string {
  return readFileSync(join(docs, `${name}.md`), 'utf8');
}
