import { releases } from '../../builtins/releases.js';
import type { PlainObject, Value } from '../../values/value.js';
import { currentCapabilities, readCapabilities, releaseDocument } from '../capabilities-file.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit.js';
import { json, Ordered } from '../output/ordered-json.js';

export const capabilitiesCommand: Command = {
  name: 'capabilities',
  use: '',
  short: 'Show the built-ins and features that policies may use',
  long: `Print the capabilities of writ: the built-ins and features that policies may use.

Without a flag, the command lists the releases that it knows the capabilities of.

Those of this release:

    $ writ capabilities --current

Those of an earlier release, with the declarations that its built-ins have now:

    $ writ capabilities --version v0.60.0

Those in a file:

    $ writ capabilities --file ./capabilities.json`,
  flags: [
    { name: 'current', type: 'bool', usage: 'print those of this release' },
    { name: 'file', type: 'string', usage: 'print those of a file' },
    { name: 'v0-compatible', type: 'bool', usage: 'print those of Rego v0' },
    { name: 'version', type: 'string', usage: 'print those of a release of the reference' },
  ],
  arguments: [],
  async run({ flags }, io) {
    const version = flags.text('version');
    const file = flags.text('file');
    const regoVersion = flags.on('v0-compatible') ? 0 : 1;
    if (version) {
      const found = await releaseDocument(version, regoVersion);
      if (found === undefined) {
        // The reference says nothing; at a terminal a person wonders why.
        if (io.isTerminal?.('stderr')) io.stderr(`no capabilities version found ${version}: writ capabilities lists the versions\n`);
        return exitCodes.failure;
      }
      io.stdout(json(ordered(found), io));
    } else if (file) io.stdout(json(ordered(readCapabilities(file)), io));
    else if (flags.on('current')) io.stdout(json(ordered(await currentCapabilities(regoVersion)), io));
    else io.stdout(`${releases().join('\n')}\n`);
    return exitCodes.ok;
  },
};

/** The document with its fields in the reference's order. */
function ordered({ builtins, future_keywords, wasm_abi_versions, features, allow_net }: PlainObject): Ordered {
  const rows = (builtins ?? []) as readonly PlainObject[];
  return new Ordered(
    ['builtins', rows.length === 0 ? [] : rows.map(orderedBuiltin)],
    ['future_keywords', future_keywords ?? null],
    ['wasm_abi_versions', wasm_abi_versions],
    ['features', features],
    ['allow_net', allow_net as Value | undefined],
  );
}

/** A built-in in the capabilities' format. */
export function orderedBuiltin({ name, decl, infix, relation, nondeterministic, deprecated }: PlainObject): Ordered {
  return new Ordered(
    ['name', name],
    ['decl', decl],
    ['infix', infix],
    ['relation', relation],
    ['nondeterministic', nondeterministic],
    ['deprecated', deprecated],
  );
}
