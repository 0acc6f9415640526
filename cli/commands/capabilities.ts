import { type PlainObject, releases, type Value } from '../../values/index.js';
import { currentCapabilities, readCapabilities, releaseDocument } from '../capabilities-file.js';
import type { Command } from '../command.js';
import { exitCodes } from '../exit.js';
import { jsonOutput, Ordered } from '../output/ordered-json.js';

export const capabilitiesCommand: Command = {
  name: 'capabilities',
  use: '',
  long: `Prints capabilities as JSON: the built-ins and features that policies may use. Without a flag, it lists the releases whose capabilities it knows.`,
  examples: [
    ['List the releases', 'writ capabilities'],
    ['Print the capabilities of this release', 'writ capabilities --current'],
    ['Print those of an earlier release', 'writ capabilities --version v0.60.0'],
    ['Check a file', 'writ capabilities --file capabilities.json'],
  ],
  flags: [
    { name: 'current', type: 'bool', usage: 'print the capabilities of this release' },
    { name: 'file', type: 'string', usage: 'print the capabilities in a file' },
    { name: 'v0-compatible', type: 'bool', usage: 'print the capabilities of version 0 of Rego' },
    { name: 'version', type: 'string', usage: 'print the capabilities of a release of OPA' },
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
        if (io.isTerminal?.('stderr'))
          io.stderr(`no capabilities version found ${version}: writ capabilities lists the versions\n`);
        return exitCodes.failure;
      }
      io.stdout(jsonOutput(ordered(found), io));
    } else if (file) io.stdout(jsonOutput(ordered(readCapabilities(file)), io));
    else if (flags.on('current')) io.stdout(jsonOutput(ordered(await currentCapabilities(regoVersion)), io));
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
