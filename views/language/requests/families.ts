/** The table of all requests. */

import { actions } from './actions/actions.js';
import { fileRenames } from './actions/file-renames.js';
import { makeTests } from './actions/make-tests.js';
import { calls } from './calls.js';
import { commandRequests } from './commands.js';
import { completion } from './completion.js';
import { diagnosticRequests } from './diagnostics/diagnostic-requests.js';
import { folding } from './folding.js';
import { formatting } from './formatting.js';
import { hover } from './hover.js';
import { inlayHints } from './inlay-hints.js';
import { lenses } from './lenses.js';
import { links } from './links.js';
import { navigation } from './navigation.js';
import { rename } from './rename/rename.js';
import type { CommandHandler, RequestFamily, RequestHandler } from './request.js';
import { semanticTokens } from './semantic-tokens.js';
import { signature } from './signature.js';
import { symbolRequests } from './symbols.js';

const families: readonly RequestFamily[] = [
  diagnosticRequests,
  actions,
  hover,
  navigation,
  rename,
  fileRenames,
  symbolRequests,
  completion,
  formatting,
  commandRequests,
  makeTests,
  lenses,
  folding,
  signature,
  inlayHints,
  semanticTokens,
  calls,
  links,
];

/** All handlers by method. */
export function requestTable(): ReadonlyMap<string, RequestHandler> {
  return new Map(families.flatMap(({ requests }) => Object.entries(requests)));
}

/** All commands by name. */
export function commandTable(): ReadonlyMap<string, CommandHandler> {
  return new Map(families.flatMap((family) => Object.entries(family.commands ?? {})));
}

/** The abilities of the server, for `initialize`. */
export function serverCapabilities(): Readonly<Record<string, unknown>> {
  const names = [...commandTable().keys()];
  return {
    ...(Object.assign({}, ...families.map(({ capabilities }) => capabilities)) as Record<string, unknown>),
    ...(names.length > 0 && { executeCommandProvider: { commands: names } }),
  };
}
