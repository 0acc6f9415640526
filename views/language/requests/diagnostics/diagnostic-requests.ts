/** Diagnostics for editors that ask for them: of a document, and of all policies. */

import type { Diagnostic } from 'vscode-languageserver-types';
import type { PolicyFile } from '../../workspace/policy-file.js';
import { type DocumentParams, policyOf, type RequestContext, type RequestFamily } from '../request.js';
import { diagnosticsOf } from './diagnostics.js';

interface DocumentDiagnosticParams extends DocumentParams {
  readonly previousResultId?: string;
}

interface WorkspaceDiagnosticParams {
  readonly previousResultIds?: readonly { readonly uri: string; readonly value: string }[];
  readonly partialResultToken?: string | number;
}

type DiagnosticReport =
  | { readonly kind: 'full'; readonly resultId?: string; readonly items: readonly Diagnostic[] }
  | { readonly kind: 'unchanged'; readonly resultId: string };

type PolicyReport = DiagnosticReport & { readonly uri: string; readonly version: number | null };

export const diagnosticRequests: RequestFamily = {
  capabilities: {
    diagnosticProvider: { identifier: 'rego', interFileDependencies: true, workspaceDiagnostics: true },
  },
  requests: {
    'textDocument/diagnostic': async (context, params: DocumentDiagnosticParams): Promise<DiagnosticReport> => {
      const policy = policyOf(context, params);
      if (policy === undefined) return { kind: 'full', items: [] };
      await context.lint.lintAlone(policy);
      return reportOf(policy, params.previousResultId, context);
    },
    'workspace/diagnostic': async (context, params: WorkspaceDiagnosticParams, token) => {
      const reports = new WorkspaceReports(context, params);
      const linted = (policy: PolicyFile): void => reports.linted(policy);
      // A file that changed meanwhile is linted again, with the others.
      while (!(await context.lint.lintTogether(() => token.isCancelled, linted))) if (token.isCancelled) return null;
      return { items: reports.end() };
    },
  },
};

/** The diagnostics of a policy, or that they are those of a report which the editor has. */
function reportOf(policy: PolicyFile, previous: string | undefined, context: RequestContext): DiagnosticReport {
  const items = diagnosticsOf(policy, context);
  const text = JSON.stringify(items);
  const before = context.reports.get(policy.uri);
  const resultId = before?.text === text ? before.resultId : String(Number(before?.resultId ?? Date.now()) + 1);
  context.reports.set(policy.uri, { resultId, text });
  return previous === resultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items };
}

/** Reports that are sent together. */
const reportsPerMessage = 50;

/** The reports of one request, in parts as files are linted where the editor takes parts. */
class WorkspaceReports {
  readonly #context: RequestContext;
  readonly #token: string | number | undefined;
  /** The reports that the editor has, by the URI of the policy. */
  readonly #known: Map<string, string>;
  #waiting: PolicyReport[] = [];

  constructor(context: RequestContext, { previousResultIds = [], partialResultToken }: WorkspaceDiagnosticParams) {
    this.#context = context;
    this.#token = partialResultToken;
    this.#known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
  }

  /** A file was linted alone: the editor may see what was found so far. */
  linted(policy: PolicyFile): void {
    if (this.#token === undefined) return;
    this.#add(policy, true);
    if (this.#waiting.length >= reportsPerMessage) this.#send();
  }

  /** The reports that are left after all files; none where the editor got them as parts. */
  end(): readonly PolicyReport[] {
    const { workspace } = this.#context;
    const gone = new Set(this.#known.keys());
    for (const policy of workspace.policies) {
      this.#add(policy, false);
      gone.delete(workspace.editorUri(policy.uri));
    }
    for (const uri of gone) this.#waiting.push({ uri, version: null, kind: 'full', items: [] });
    if (this.#token === undefined) return this.#waiting;
    if (this.#waiting.length > 0) this.#send();
    return [];
  }

  #add(policy: PolicyFile, isPart: boolean): void {
    const { workspace } = this.#context;
    const uri = workspace.editorUri(policy.uri);
    const report = reportOf(policy, this.#known.get(uri), this.#context);
    if (report.kind === 'unchanged' && (isPart || this.#token !== undefined)) return;
    this.#known.set(uri, report.resultId!);
    this.#waiting.push({ uri, version: workspace.openDocument(policy.uri)?.version ?? null, ...report });
  }

  #send(): void {
    this.#context.client.notify('$/progress', { token: this.#token, value: { items: this.#waiting } });
    this.#waiting = [];
  }
}
