import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a bundle was made of, by paths. */
export interface Inputs {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The licences of all packages in the bundles, which must be distributed with them. */
export function licences(root: string, bundles: readonly Inputs[]): string {
  const all = bundles.flatMap(({ inputs }) => files(inputs));
  const named = bundledPackages(bundles).map((folder) =>
    licenceOf(root, folder, () => all.filter((path) => path.startsWith(`${folder}/`))),
  );
  // Many have the same text, such as Apache's.
  const byText = [...Map.groupBy(named, ({ text }) => text)];
  return `This package holds code of the following packages.\n${byText.map(([text, some]) => section(some, text)).join('')}`;
}

interface Licence {
  /** Name, release and kind of licence. */
  readonly name: string;
  readonly text: string;
}

/** A package's licence. */
export function licence(root: string, folder: string): string {
  const found = licenceOf(root, folder, () => []);
  return section([found], found.text);
}

function section(packages: readonly Licence[], text: string): string {
  return `\n${'-'.repeat(80)}\n${packages.map(({ name }) => `${name}\n`).join('')}\n${text}\n`;
}

/** The folders of the packages in the bundles. */
export function bundledPackages(bundles: readonly Inputs[]): string[] {
  const all = bundles.flatMap(({ inputs }) => files(inputs));
  const folders = all.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Inputs of plugins have a prefix with a colon. */
function files(inputs: Inputs['inputs']): string[] {
  return Object.keys(inputs).filter((path) => !path.includes(':'));
}

/**
 * The name, release and licence of a package.
 * @param bundled the paths of its files in the bundles, whose comments have the licence where it is
 * in no file of its own
 */
function licenceOf(root: string, folder: string, bundled: () => readonly string[]): Licence {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined
      ? sectionOf(join(root, folder)) || noticesIn(root, bundled(), license!)
      : readFileSync(join(root, folder, file), 'utf8').trim();
  if (text === '') throw new Error(`${folder} has no licence to bring along`);
  return { name: `${name} ${version} (${license})`, text };
}

/** The last section of the page about a package, where that is its licence; otherwise empty. */
function sectionOf(folder: string): string {
  const page = readdirSync(folder).find((entry) => /^readme/i.test(entry));
  const text = page === undefined ? '' : readFileSync(join(folder, page), 'utf8');
  const section = text.split(/^#+ licen[cs]e$/im)[1]?.trim() ?? '';
  return /copyright/i.test(section) ? section : '';
}

/**
 * The notices at the beginnings of files, and the text of Apache's licence, to which they refer.
 */
function noticesIn(root: string, files: readonly string[], license: string): string {
  const beginnings = files.map((path) => /^(?:\/\/.*\n)+/.exec(readFileSync(join(root, path), 'utf8'))?.[0] ?? '');
  const notices = [...new Set(beginnings.filter((text) => text.includes('Copyright')))].map((text) =>
    text.replace(/^\/\/ ?/gm, '').trim(),
  );
  if (notices.length === 0) return '';
  const apache = license.includes('Apache-2.0') ? [readFileSync(join(root, 'LICENSE'), 'utf8').trim()] : [];
  return [...notices, ...apache].join('\n\n');
}
