/** Runs a recorded call of conftest (`../shared/verify/README.md`) in a folder of its own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runWith } from '../../harness/command.js';

type Bytes = string | { readonly base64: string };

export interface VerifyAnswer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr?: string;
}

export interface VerifyCase extends VerifyAnswer {
  readonly name: string;
  readonly files?: { readonly [path: string]: Bytes | { readonly link: string } };
  readonly args: readonly string[];
  readonly stdin?: Bytes;
  readonly env?: { readonly [name: string]: string };
  readonly unordered?: boolean;
  readonly others?: readonly VerifyAnswer[];
}

/** The recordings' name of the working folder. */
const folderName = '$DIR';

/**
 * Calls the command in this process, whose working folder it changes meanwhile: cases run one after
 * the other.
 */
export async function callOf(one: VerifyCase): Promise<VerifyAnswer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-verify-')));
  const before = process.cwd();
  try {
    for (const [path, content] of Object.entries(one.files ?? {})) writeAt(join(folder, path), content);
    process.chdir(folder);
    const filled = (text: string): string => text.replaceAll(folderName, folder);
    const env = Object.fromEntries(Object.entries(one.env ?? {}).map(([name, value]) => [name, filled(value)]));
    const answer = await runWith({ env, stdin: () => bytesOf(one.stdin ?? '') }, ['conftest', ...one.args.map(filled)]);
    return { ...answer, stdout: clean(answer.stdout, folder), stderr: clean(answer.stderr, folder) };
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeAt(at: string, content: Bytes | { readonly link: string }): void {
  mkdirSync(dirname(at), { recursive: true });
  if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, at);
  else writeFileSync(at, bytesOf(content));
}

function bytesOf(content: Bytes): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
}

/** The named rules of the recordings: what differs from run to run. */
function clean(text: string, folder: string): string {
  return text
    .replaceAll(folder, folderName)
    .replace(/value="(?:go|node|v)[0-9][^"]*"/g, 'value="$GO"')
    .replace(/\((?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?(?:ns|µs|ms|s)\)/g, '($TIME)');
}
