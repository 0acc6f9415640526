/**
 * Findings of earlier runs, by the content of the files: a file for each set of rules and settings,
 * in the user's directory of caches.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildInfo } from '../../engine/index.js';
import type { CachedFile, LintCache, LintSource } from '../../views/index.js';
import type { Io } from '../io.js';

/** Files of other settings that are kept. */
const maxFiles = 20;

/** The identity of a build. */
type Build = Pick<typeof buildInfo, 'version' | 'commit' | 'timestamp'>;

interface StoredCache extends LintCache {
  /** Writes the new entries; a cache that cannot be written is none. */
  save(): void;
}

/**
 * The cache for some settings; undefined where there is no directory for it.
 * @param settings all that findings depend on besides the file
 * @param documents a text that differs when documents beside the files do
 */
export function openCache(
  settings: unknown,
  env: Io['env'],
  build: Build = buildInfo,
  documents: () => string = () => '',
): StoredCache | undefined {
  const home = env.XDG_CACHE_HOME || (env.HOME ? join(env.HOME, '.cache') : undefined);
  // A build knows when it was made; sources may change between two runs.
  if (home === undefined || build.timestamp === '') return undefined;
  const directory = join(home, 'writ', 'lint');
  const path = join(directory, `${digest(JSON.stringify([build, settings]))}.json`);
  const old = read(path);
  const used: Record<string, CachedFile> = {};
  const keys = new Map<LintSource, string>();
  const keyOf = (source: LintSource): string => {
    let key = keys.get(source);
    if (key === undefined) keys.set(source, (key = keyOfSource(source)));
    return key;
  };
  // Documents are looked at once: findings are of what was there before.
  let stamp: string | undefined;
  const keyOfAll = (sources: readonly LintSource[]): string =>
    digest(JSON.stringify([sources.map(keyOf), (stamp ??= documents())]));
  let isNew = false;
  return {
    get: (source) => {
      const key = keyOf(source);
      const found = Object.hasOwn(old, key) ? old[key] : undefined;
      if (found) used[key] = found;
      return found;
    },
    set: (source, file) => {
      used[keyOf(source)] = file;
      isNew = true;
    },
    getCompiled: (sources) => {
      const key = keyOfAll(sources);
      const found = Object.hasOwn(old, key) ? old[key] : undefined;
      if (found) used[key] = found;
      return found?.findings;
    },
    setCompiled: (sources, findings) => {
      used[keyOfAll(sources)] = { findings, facts: [], directives: [] };
      isNew = true;
    },
    save: () => {
      if (isNew) write(directory, path, { ...old, ...used }, used);
    },
  };
}

function keyOfSource({ file, text, path, absolute, regoVersion, isStdin }: LintSource): string {
  return digest(JSON.stringify([file, path, absolute, regoVersion, isStdin, text]));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

type Files = Readonly<Record<string, CachedFile>>;

function read(path: string): Files {
  try {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof document === 'object' && document !== null ? (document as Files) : {};
  } catch {
    return {};
  }
}

/** More entries than these are cut down to those that were used. */
const maxEntries = 5000;

function write(directory: string, path: string, all: Files, used: Files): void {
  try {
    mkdirSync(directory, { recursive: true });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(Object.keys(all).length > maxEntries ? used : all));
    renameSync(temporary, path);
    prune(directory);
  } catch {
    // Findings do not depend on it.
  }
}

function prune(directory: string): void {
  const files = readdirSync(directory).map((name) => join(directory, name));
  const byAge = files.map((file) => ({ file, time: statSync(file).mtimeMs })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(maxFiles)) rmSync(file, { force: true });
}
