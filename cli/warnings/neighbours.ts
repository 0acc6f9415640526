/**
 * The policies and documents of a project that a command line leaves out: those of the folder with
 * `.git`, `.writ.yaml`, `.regal` or `.manifest` above the paths, or of the working directory.
 */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { PlainObject, Value } from '../../values/index.js';
import { areOnOneWay, isObject, lenientTextOfFile, parseJson } from '../../values/index.js';
import { findWarningConfig } from './warning-config.js';

/** The most entries of a folder that is looked at. */
const mostEntries = 5_000;
const mostBytes = 1_000_000;

const marks = ['.git', '.writ.yaml', '.regal', '.manifest'];
const noDocuments = /^(?:package|package-lock|tsconfig)\.json$|schema/;

/** A text that differs when the files of a project do, or those below some paths. */
export function stampOf(paths: readonly string[]): string {
  const folders = [...new Set(paths.map((path) => projectOf(resolve(path)) ?? resolve(path)))];
  const lines: string[] = [];
  const config = findWarningConfig(paths);
  if (config !== undefined) lines.push(stampOfFile(config));
  let left = mostEntries;
  for (const folder of folders)
    for (const entry of entriesOf(folder)) {
      if (left-- === 0) return lines.join('\n');
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (/\.(?:rego|json|ya?ml)$/.test(entry.name)) lines.push(stampOfFile(path));
    }
  return lines.join('\n');
}

function stampOfFile(path: string): string {
  const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${path} ${mtimeMs} ${size}`;
}

/** A policy, and the names of its rules. */
interface Neighbour {
  readonly file: string;
  readonly text: string;
  readonly package: readonly string[];
  readonly rules: ReadonlySet<string>;
  /** Rules that have a default and nothing else. */
  readonly defaults: ReadonlySet<string>;
}

export class Neighbours {
  readonly #root: string | undefined;
  #policies: readonly Neighbour[] | undefined;
  /** The files that have a document, by its first name. */
  readonly #documents = new Map<string, Set<string>>();

  constructor([path = '.']: readonly string[]) {
    this.#root = projectOf(resolve(path));
  }

  /**
   * The file that has a package, a rule or a document at a path.
   * @param loaded the documents of the command: one of the files with such a document is among them
   */
  fileWith(path: readonly string[], loaded: PlainObject, what?: 'value'): string | undefined {
    this.#policies ??= this.#read();
    const policy = this.#policies.find(({ package: names, rules, defaults }) => {
      const isOnWay = areOnOneWay(names, path);
      const name = path[names.length] ?? '';
      const isThere = rules.has(name) || (what === undefined && defaults.has(name));
      return isOnWay && (isThere || path.length <= names.length);
    });
    if (policy !== undefined) return policy.file;
    const isPackage = this.#policies.some(({ package: names }) => names[0] === path[0]);
    const first = path[0] ?? '';
    const files = [...(this.#documents.get(first) ?? [])];
    return isPackage ? undefined : files[Object.hasOwn(loaded, first) ? 1 : 0];
  }

  /** Whether another policy than some has a word. */
  isMentioned(word: string, files: ReadonlySet<string>): boolean {
    this.#policies ??= this.#read();
    const pattern = new RegExp(`(?<!\\w)${word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?!\\w)`);
    return this.#policies.some(({ file, text }) => !files.has(file) && pattern.test(text));
  }

  #read(): readonly Neighbour[] {
    if (this.#root === undefined) return [];
    const policies: Neighbour[] = [];
    const folders = [this.#root];
    let left = mostEntries;
    for (const folder of folders) {
      for (const entry of entriesOf(folder)) {
        if (left-- === 0) return policies;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (entry.name.endsWith('.rego')) policies.push(...policyIn(path));
        else if (/\.(?:json|ya?ml)$/.test(entry.name)) this.#addDocument(path);
      }
    }
    return policies;
  }

  /** A document stands at the keys that it has, and at its folder's name. */
  #addDocument(path: string): void {
    if (noDocuments.test(basename(path))) return;
    for (const key of [...keysIn(path), basename(dirname(path))]) {
      const files = this.#documents.get(key) ?? new Set();
      this.#documents.set(key, files.add(shownPath(path)));
    }
  }
}

function projectOf(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (folder === dirname(folder)) break;
  }
  const here = process.cwd();
  return path === here || path.startsWith(here + sep) ? here : undefined;
}

function entriesOf(folder: string) {
  try {
    const all = readdirSync(folder, { withFileTypes: true });
    return all.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return statSync(path).size > mostBytes ? '' : lenientTextOfFile(readFileSync(path));
  } catch {
    return '';
  }
}

function policyIn(path: string): readonly Neighbour[] {
  const text = textOf(path);
  const name = /^package\s+([\w.]+(?:\["[^"\n]*"\][\w.]*)*)/m.exec(text)?.[1];
  if (name === undefined) return [];
  const names = name.split(/\.|\["|"\]\.?/).filter((part) => part !== '');
  const found = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, rule]) => rule!));
  const rules = found(/^(?!default\s)([A-Za-z_]\w*)/gm);
  return [{ file: shownPath(path), text, package: names, rules, defaults: found(/^default\s+([A-Za-z_]\w*)/gm) }];
}

/** The keys of the outermost object; of YAML those at the start of a line. */
function keysIn(path: string): readonly string[] {
  const text = textOf(path);
  if (!path.endsWith('.json')) return [...text.matchAll(/^["']?([\w-]+)["']?:/gm)].map(([, key]) => key!);
  try {
    const value: Value = parseJson(text);
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/** A path as messages have it: relative to the working directory, if it is below. */
export function shownPath(path: string): string {
  const here = relative(process.cwd(), resolve(path));
  return here.startsWith('..') ? path : here;
}
