/** Renaming: everywhere, in one edit. */

import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { plainName } from '../../../compiler/ast/names.js';
import type { Occurrence } from '../names/symbol.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import { placesOf } from './navigation.js';
import {
  offsetOf,
  type PositionParams,
  policyOf,
  type RequestContext,
  RequestError,
  type RequestFamily,
} from './request.js';

interface RenameParams extends PositionParams {
  readonly newName: string;
}

export const rename: RequestFamily = {
  capabilities: { renameProvider: { prepareProvider: true } },
  requests: {
    'textDocument/prepareRename': (context, params: PositionParams) => {
      const { policy, name } = renamed(context, params);
      return {
        range: rangeBetween(policy.source, name.start, name.end) satisfies Range,
        placeholder: policy.text.slice(name.start, name.end),
      };
    },
    'textDocument/rename': (context, params: RenameParams) => editsOf(context, params),
  },
};

function renamed(context: RequestContext, params: PositionParams): { policy: PolicyFile; name: Occurrence } {
  const policy = policyOf(context, params);
  const name = policy && context.workspace.names.at(policy, offsetOf(policy, params));
  if (!policy || !name) throw new RequestError('there is no name here');
  if (name.kind === 'builtin') throw new RequestError(`${name.name} is a built-in function`);
  if (name.path?.length === 1) throw new RequestError(`${name.path[0]} is the name of a document of the language`);
  return { policy, name };
}

function editsOf(context: RequestContext, params: RenameParams): WorkspaceEdit {
  const { name } = renamed(context, params);
  const { newName } = params;
  if (!plainName.test(newName)) throw new RequestError(`${JSON.stringify(newName)} is no name`);
  const changes: Record<string, TextEdit[]> = {};
  for (const { policy, occurrence } of placesOf(name, context.workspace)) {
    const uri = context.workspace.editorUri(policy.uri);
    changes[uri] ??= [];
    changes[uri].push({ range: rangeBetween(policy.source, occurrence.start, occurrence.end), newText: newName });
  }
  return { changes };
}
