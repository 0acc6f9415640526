/** The files to lint. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { filePath } from '../../engine/node.js';
import { textOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { LintSource } from '../../views/index.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';

/** Directories that have no policies of the project. */
const skipped: ReadonlySet<string> = new Set(['.git', '.idea', 'node_modules']);

/**
 * Reads the policies at some paths; `-` is standard input. Throws a CommandError for a path that
 * cannot be read.
 */
export function readPolicies(paths: readonly string[], root: string, io: Pick<Io, 'stdin'>): LintSource[] {
  const found = new Map<string, LintSource>();
  for (const given of paths) {
    if (given === '-') {
      found.set('stdin', { file: 'stdin', text: textOfFile(io.stdin()), isStdin: true });
      continue;
    }
    for (const file of policiesAt(join(filePath(given)))) {
      const absolute = resolve(file);
      if (!found.has(absolute))
        found.set(absolute, { file, text: read(file), path: relative(root, absolute), absolute });
    }
  }
  return [...found.values()];
}

function read(file: string): string {
  try {
    // A byte order mark stays: the formatter would take it away.
    const bytes = readFileSync(file);
    const text = textOfFile(bytes);
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && !text.startsWith('\ufeff')
      ? `\ufeff${text}`
      : text;
  } catch (error) {
    throw new CommandError(`open ${file}: ${systemProblem(error)}`);
  }
}

function* policiesAt(path: string): Iterable<string> {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    throw new CommandError(`stat ${path}: ${systemProblem(error)}`);
  }
  if (isDirectory) yield* policiesBelow(path);
  else if (isPolicy(path)) yield path;
}

function* policiesBelow(directory: string): Iterable<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* policiesBelow(path);
    else if (!entry.isDirectory() && isPolicy(path)) yield path;
  }
}

function isPolicy(path: string): boolean {
  return path.endsWith('.rego') || path.endsWith('.rq');
}
