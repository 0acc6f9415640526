/** Results in SARIF 2.1.0. */

import { htmlSafe, type PlainObject, quote, toJson, type Value } from '../../../values/index.js';
import { type CheckResult, countsOf, type Result } from '../results.js';

const schema = 'https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json';

export interface SarifOptions {
  readonly tool: { readonly name: string; readonly uri: string; readonly version: string };
}

export function resultsSarif(checks: readonly CheckResult[], { tool }: SarifOptions): string {
  const report = new Report();
  for (const check of checks) report.add(check);
  const driver = `{"informationUri":${quote(tool.uri)},"name":${quote(tool.name)},"rules":[${report.rules.join(',')}],"version":${quote(tool.version)}}`;
  const { failures, warnings, exceptions } = countsOf(checks);
  const said = failures > 0 ? 'violations' : warnings > 0 ? 'warnings' : exceptions > 0 ? 'exceptions' : undefined;
  const description = said === undefined ? 'No policy violations found' : `Policy ${said} found`;
  const invocation = `{"executionSuccessful":true,"exitCode":${failures > 0 ? 1 : 0},"exitCodeDescription":"${description}"}`;
  return htmlSafe(
    `{"version":"2.1.0","$schema":"${schema}","runs":[{"tool":{"driver":${driver}},"invocations":[${invocation}],"results":[${report.results.join(',')}]}]}`,
  );
}

const kinds = {
  deny: { level: 'error', text: 'Policy violation' },
  warn: { level: 'warning', text: 'Policy warning' },
  allow: { level: 'note', text: 'Policy exception' },
  success: { level: 'none', text: 'Policy was satisfied successfully' },
  skip: { level: 'none', text: 'Policy check was skipped' },
} as const;

class Report {
  readonly rules: string[] = [];
  readonly results: string[] = [];
  readonly #indices = new Map<string, number>();

  add(check: CheckResult): void {
    for (const result of check.failures) this.#result(check, 'deny', result);
    for (const result of check.warnings) this.#result(check, 'warn', result);
    for (const result of check.exceptions) this.#result(check, 'allow', result);
    if (check.failures.length + check.warnings.length + check.exceptions.length > 0) return;
    const kind = check.successes === 0 ? 'skip' : 'success';
    this.#result(check, kind, { msg: kinds[kind].text, metadata: { description: kinds[kind].text } });
  }

  #result(check: CheckResult, kind: keyof typeof kinds, result: Result): void {
    const id = `${check.namespace}/${kind}`;
    const { level } = kinds[kind];
    this.results.push(
      `{"ruleId":${quote(id)},"ruleIndex":${this.#indexOf(id, kind, result.metadata)},"level":"${level}","message":{"text":${quote(result.msg)}},"locations":[{"physicalLocation":${placeText(check, result)}}]}`,
    );
  }

  #indexOf(id: string, kind: keyof typeof kinds, metadata: PlainObject | undefined): number {
    const known = this.#indices.get(id);
    if (known !== undefined) return known;
    const properties = metadata === undefined ? '' : `,"properties":${toJson(metadata as Value)}`;
    this.#indices.set(id, this.rules.length);
    return this.rules.push(`{"id":${quote(id)},"shortDescription":{"text":"${kinds[kind].text}"}${properties}}`) - 1;
  }
}

function placeText({ filename }: CheckResult, { loc, place }: Result): string {
  const uri = loc?.file ?? filename;
  const artifact = `"artifactLocation":{"uri":${quote(uri)}}`;
  if (loc?.line !== undefined) return `{${artifact},"region":{"startLine":${loc.line},"endLine":${loc.line}}}`;
  if (loc !== undefined || place === undefined) return `{${artifact}}`;
  return `{${artifact},"region":{"startLine":${place.line},"startColumn":${place.column},"endLine":${place.endLine}}}`;
}
