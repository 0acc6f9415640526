import { ConfigFileError } from '../../views/node.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { fileFlags, policyFlags } from './check-flags.js';
import { parsedText } from './parse-files.js';
import { readOptions } from './run-checks.js';
import { readVerifySettings } from './settings.js';

export const parseConfigCommand: Command = {
  name: 'parse-config',
  use: '<file> [file [...]]',
  long: `Prints what a policy sees of configuration files: their values as JSON. A file's name tells its format, or --parser does.

Formats: cyclonedx, dockerfile, dotenv, edn, hcl1, hcl2, hocon, ignore, ini, json, jsonc, nginx, properties, spdx, textproto, toml, xml, yaml. For others, --parser names a command that reads the text and writes JSON.`,
  examples: [
    ['Show a Dockerfile as policies see it', 'writ parse-config Dockerfile'],
    ['Read standard input as TOML', 'writ parse-config --parser toml -'],
    ['Show files as one input', 'writ parse-config --combine deploy/web.yaml Dockerfile'],
  ],
  flags: [
    ...fileFlags.filter(({ name }) => name === 'parser' || name === 'combine'),
    ...policyFlags.filter(({ name }) => name === 'proto-file-dirs'),
    { name: 'exact', type: 'bool', usage: 'keep all digits of numbers' },
  ],
  async run({ flags, positionals }, io) {
    if (positionals.length === 0) throw usageError('specify at least one file');
    try {
      const settings = await readVerifySettings(parseConfigCommand.flags, flags, io);
      const numbers = flags.on('exact') ? 'exact' : 'double';
      const reading = readOptions(settings, io, { numbers, isConftest: false });
      io.stdout(await parsedText(positionals, reading, settings.on('combine')));
      return exitCodes.ok;
    } catch (error) {
      if (error instanceof ConfigFileError) throw new CommandError(`Error: ${error.message}`);
      throw error;
    }
  },
};
