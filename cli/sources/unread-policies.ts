/** Files that are policies but for the ending of their names: no command reads them as such. */
import { opendirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packagePathIn } from '../../engine/index.js';
import { filePlaces } from '../../engine/node.js';
import { lenientTextOfFile } from '../../values/index.js';
import type { Io } from '../io.js';

/** Endings that are nearly `.rego`. */
const misspelt = /\.(?:reg|rgo|reo|ego|rgeo|reog|regoo|rego\.txt|rego)$/i;

/** Files of folders that are looked at: a wrong path may be that of a whole disk. */
const mostFiles = 20_000;

/** Says at a terminal which files of the paths are not read as policies. */
export function noteUnreadPolicies(paths: readonly string[], io: Io): void {
  if (io.isTerminal?.('stderr') !== true) return;
  for (const path of filePlaces(paths)) for (const note of notesOf(path)) io.stderr(`warning: ${note}\n`);
}

function notesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return isMisspelt(path) && !isPolicy(path) ? [`${path} ${readAsData}`] : [];
    const found = filesBelow(path).filter(isMisspelt).sort();
    return found.filter(isPolicy).map((file) => `${file} is not read: policies end in .rego`);
  } catch {
    // A path that cannot be read is an error of the command.
    return [];
  }
}

/** The first files of a folder and of those in it, without links. */
function filesBelow(folder: string): readonly string[] {
  const files: string[] = [];
  let left = mostFiles;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const opened = opendirSync(at);
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        if (left-- === 0) return files;
        const path = join(at, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else files.push(path);
      }
    } finally {
      opened.closeSync();
    }
  }
  return files;
}

const readAsData = 'was read as data, and not as a policy: policies end in .rego, and begin with `package`';

function isMisspelt(name: string): boolean {
  return misspelt.test(name) && !name.endsWith('.rego');
}

/** A file that the command line names is a policy where it has a package. */
function isPolicy(path: string): boolean {
  return statSync(path).isFile() && packagePathIn(lenientTextOfFile(readFileSync(path))) !== undefined;
}
