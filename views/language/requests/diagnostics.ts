/** Errors of all stages of the compiler, its warnings, and findings of the linter. */

import type { Diagnostic } from 'vscode-languageserver-types';
import type { Diagnostic as CompileDiagnostic } from '../../../compiler/diagnostics/diagnostics.js';
import { markedSpan } from '../../../compiler/diagnostics/excerpt.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { Workspace } from '../workspace/workspace.js';
import { type DocumentParams, policyOf, type RequestFamily } from './request.js';

const severities = { error: 1, warning: 2, information: 3, hint: 4 } as const;

export const diagnostics: RequestFamily = {
  capabilities: {
    diagnosticProvider: { identifier: 'rego', interFileDependencies: true, workspaceDiagnostics: true },
  },
  requests: {
    'textDocument/diagnostic': (context, params: DocumentParams) => {
      const policy = policyOf(context, params);
      return { kind: 'full', items: policy === undefined ? [] : diagnosticsOf(policy, context.workspace) };
    },
    'workspace/diagnostic': ({ workspace }) => ({
      items: [...workspace.policies].map((policy) => ({
        uri: workspace.editorUri(policy.uri),
        version: workspace.openDocument(policy.uri)?.version ?? null,
        kind: 'full',
        items: diagnosticsOf(policy, workspace),
      })),
    }),
  },
};

/** The errors in a policy. */
export function diagnosticsOf(policy: PolicyFile, workspace: Workspace): Diagnostic[] {
  const { problems, broken } = policy.parsed;
  const found = workspace.compileErrorsOf(policy).filter(({ span }) => {
    return span === undefined || !broken.some(({ start, end }) => span.start >= start && span.start < end);
  });
  return [...problems, ...found].map((diagnostic) => shown(diagnostic, policy));
}

function shown(diagnostic: CompileDiagnostic, { source }: PolicyFile): Diagnostic {
  const { start, end } = markedSpan(diagnostic) ?? { start: 0, end: 0 };
  return {
    range: rangeBetween(source, start, end),
    severity: severities.error,
    code: diagnostic.code,
    source: 'writ',
    message: diagnostic.message,
  };
}
