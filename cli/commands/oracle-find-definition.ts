import { readFileSync } from 'node:fs';
import { CompileErrors, locationOf, type Module } from '../../compiler/index.js';
import { cleanPath } from '../../engine/index.js';
import { filePath } from '../../engine/node.js';
import { textOfFile, utf16AsUtf8 } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { capabilitiesFlag, givenCapabilities, languageVersion, v0Flag, v1Flag } from '../compile-flags.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { Io } from '../io.js';
import { loadBundles, parseFile } from '../load-policies.js';
import { findDefinition } from '../oracle/find-definition.js';
import { errorDocuments, errorText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { jsonOutput, Ordered } from '../output/ordered-json.js';

export const oracleFindDefinitionCommand: Command = {
  name: 'oracle find-definition',
  use: '<filename>:<offset>',
  long: `Finds the definition of the name at a place in a policy: a rule, a package or a variable. The place is a number of bytes from the start of the file, decimal or, with 0x, hexadecimal.

The output is JSON, for editors:

    {"result": {"file": "policies/lib.rego", "row": 3, "col": 1}}

or {"error": {"code": …}}: oracle_no_match_found if no name stands there, oracle_no_definition_found if nothing defines it. The errors of a text that is no policy are {"error": [{"code": "rego_parse_error", …}]}.`,
  examples: [
    ['Find what stands at byte 53 of a file', 'writ oracle find-definition -b policies policies/authz.rego:53'],
    [
      'The same of a text that is not saved yet',
      'cat draft.rego | writ oracle find-definition --stdin-buffer -b policies policies/authz.rego:0x35',
    ],
  ],
  flags: [
    {
      name: 'bundle',
      short: 'b',
      type: 'string',
      repeated: true,
      usage: 'bundle of the other policies: an archive or a directory',
    },
    { name: 'stdin-buffer', type: 'bool', usage: 'read the text of the policy from standard input' },
    capabilitiesFlag,
    v0Flag,
    v1Flag,
  ],
  async run(args, io) {
    const [given, ...others] = args.positionals;
    if (given === undefined || others.length > 0) throw usageError('specify exactly one place: <filename>:<offset>');
    const place = placeOf(given);
    try {
      io.stdout(jsonOutput(await answer(place, args, io)));
      return exitCodes.ok;
    } catch (error) {
      throw new CommandError(`error: ${errorText(error, io)}`);
    }
  },
};

interface Place {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
}

function placeOf(given: string): Place {
  const [, file, offset] = /^(.+):(0[xX][0-9a-fA-F]+|\d+)$/.exec(given) ?? [];
  if (file === undefined)
    throw usageError(`invalid place ${JSON.stringify(given)}: it has the form <filename>:<offset>`);
  return { file: cleanPath(filePath(file)), offset: Number(offset) };
}

async function answer({ file, offset }: Place, { flags }: Arguments, io: Io): Promise<Ordered> {
  const version = languageVersion(flags);
  const capabilities = await givenCapabilities(flags);
  const bytes = utf16AsUtf8(flags.on('stdin-buffer') ? io.stdin() : readBytes(file));
  let module: Module;
  try {
    module = parseFile(
      { path: file, url: file, bundlePath: file, text: textOfFile(bytes), bytes },
      version,
      capabilities,
    );
  } catch (error) {
    // An editor asks at each keystroke, and reads what is wrong from standard output.
    if (!(error instanceof CompileErrors)) throw error;
    return new Ordered(['error', errorDocuments(outputErrors(error))]);
  }
  const others = await bundledModules(flags.all('bundle'), file, { version, capabilities });
  const characters = new TextDecoder().decode(bytes.subarray(0, offset)).length;
  const found = findDefinition([module, ...others], module, characters);
  if (typeof found === 'string') return new Ordered(['error', { code: found }]);
  const { row, col, file: definedIn } = locationOf(found);
  return new Ordered(['result', new Ordered(['file', definedIn], ['row', row], ['col', col])]);
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`open ${file}: ${systemProblem(error)}`, { cause: error });
  }
}

async function bundledModules(
  bundles: readonly string[],
  file: string,
  options: Parameters<typeof loadBundles>[1],
): Promise<Module[]> {
  const { parsed } = await loadBundles(bundles, options);
  return parsed.filter((each) => cleanPath(each.file.path) !== file).map(({ module }) => module);
}
