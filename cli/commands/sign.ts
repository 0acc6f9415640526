import { statSync } from 'node:fs';
import { joinPath, noPem, signFiles } from '../../engine/index.js';
import { readBundle } from '../../engine/node.js';
import { nodeHost } from '../../values/node.js';
import type { Arguments } from '../args.js';
import { incompleteSigning, signingConfig, signingFlags } from '../bundles/signing.js';
import type { Command } from '../command.js';
import { bundleModeFlag } from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { writeFile } from '../output/write-file.js';

export const signCommand: Command = {
  name: 'sign',
  use: '<path> [<path> [...]]',
  long: `Signs the files of a bundle. The signature is the file .signatures.json: a JSON Web Token with the SHA-256 hashes of the files.

The key is a PEM file, or for HMAC algorithms the secret itself.`,
  examples: [
    ['Sign a folder as a bundle', 'writ sign --signing-key key.pem -b policies'],
    [
      'Sign with another algorithm, and write to a folder',
      'writ sign --signing-alg HS256 --signing-key secret -o signed -b policies',
    ],
  ],
  flags: [
    bundleModeFlag,
    ...signingFlags,
    {
      name: 'output-file-path',
      short: 'o',
      type: 'string',
      usage: 'folder to write .signatures.json to',
      default: '.',
    },
  ],
  async run(args, io) {
    const { flags, positionals } = args;
    if (positionals.length === 0) throw usageError('specify atleast one path containing policy and/or data files');
    if ((flags.text('signing-key') ?? '') === '') throw usageError(incompleteSigning);
    if (!flags.on('bundle')) throw usageError('enable bundle mode (ie. --bundle) to sign bundle files or directories');
    try {
      await sign(args);
      return exitCodes.ok;
    } catch (error) {
      const { message, cause } = error as Error & { readonly cause?: NodeJS.ErrnoException };
      // The reference takes the name of a missing file for the key itself. People are told more.
      const asKey =
        cause?.code === 'ENOENT' && cause.path === flags.text('signing-key') && io.isTerminal?.('stdout') !== true;
      io.stdout(`error: ${asKey ? noPem : message}\n`);
      return exitCodes.failure;
    }
  },
};

async function sign({ flags, positionals }: Arguments): Promise<void> {
  const files = new Map<string, Uint8Array>();
  for (const path of positionals) {
    const bundle = await readBundle(path);
    // A signature names the files of a directory with the directory's name, those of an archive as
    // the archive does.
    const isDirectory = statSync(path).isDirectory();
    for (const [name, bytes] of bundle.files) files.set(isDirectory ? joinPath(path, name) : name, bytes);
  }
  const config = signingConfig(flags);
  if (config === undefined) throw usageError(incompleteSigning);
  const { signatures } = await signFiles(files, config, nodeHost.crypto);
  const directory = flags.text('output-file-path') ?? '.';
  writeFile(
    directory === '' ? '.signatures.json' : `${directory}/.signatures.json`,
    JSON.stringify({ signatures }, null, 1),
  );
}
