/** What a name is, beside the pointer. */

import type { Hover } from 'vscode-languageserver-types';
import { rangeBetween } from '../workspace/positions.js';
import { offsetOf, type PositionParams, policyOf, type RequestFamily } from './request.js';

export const hover: RequestFamily = {
  capabilities: { hoverProvider: true },
  requests: {
    'textDocument/hover': (context, params: PositionParams): Hover | null => {
      const policy = policyOf(context, params);
      const name = policy && context.workspace.names.at(policy, offsetOf(policy, params));
      if (!policy || !name) return null;
      const text = name.path?.join('.') ?? name.name ?? '';
      return {
        contents: { kind: 'markdown', value: `\`\`\`rego\n${text}\n\`\`\`` },
        range: rangeBetween(policy.source, name.start, name.end),
      };
    },
  },
};
