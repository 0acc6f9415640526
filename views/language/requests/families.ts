/** The table of all requests. */

import { actions } from './actions.js';
import { completion } from './completion.js';
import { diagnostics } from './diagnostics.js';
import { formatting } from './formatting.js';
import { hover } from './hover.js';
import { navigation } from './navigation.js';
import { rename } from './rename.js';
import type { CommandHandler, RequestFamily, RequestHandler } from './request.js';
import { symbols } from './symbols.js';

const families: readonly RequestFamily[] = [
  diagnostics,
  actions,
  hover,
  navigation,
  rename,
  symbols,
  completion,
  formatting,
];

/** All handlers by method. */
export function requestTable(): ReadonlyMap<string, RequestHandler> {
  return new Map(families.flatMap(({ requests }) => Object.entries(requests)));
}

/** All commands by name. */
export function commandTable(): ReadonlyMap<string, CommandHandler> {
  return new Map(families.flatMap(({ commands = {} }) => Object.entries(commands)));
}

/** The abilities of the server, for `initialize`. */
export function serverCapabilities(): Readonly<Record<string, unknown>> {
  const commands = [...commandTable().keys()];
  return {
    ...(Object.assign({}, ...families.map(({ capabilities }) => capabilities)) as Record<string, unknown>),
    ...(commands.length > 0 && { executeCommandProvider: { commands } }),
  };
}
