/** The fixes of the linter, as edits of an editor. */

import type { Range, TextEdit } from 'vscode-languageserver-types';
import { CompileErrors, FormatError, formatText } from '../../../compiler/index.js';
import type { LintConfig } from '../../lint/config/lint-config.js';
import { editsOf } from '../../lint/fix/edits.js';
import { fix } from '../../lint/fix/fix.js';
import { lintSources } from '../../lint/frame/lint.js';
import { editsTo } from '../requests/formatting.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { overlaps, rangeBetween } from '../workspace/positions.js';

/** The edits of a rule's fix, at a place or everywhere. */
export async function ruleEdits(
  policy: PolicyFile,
  rule: string,
  at: Range | undefined,
  config: LintConfig,
): Promise<TextEdit[]> {
  const { name, text, regoVersion, source } = policy;
  try {
    if (rule === 'opa-fmt' || rule === 'use-rego-v1') {
      const options = rule === 'use-rego-v1' && regoVersion === 'v0' ? ({ to: 'v0v1' } as const) : {};
      return editsTo(policy, formatText(name, text, { regoVersion }, options));
    }
    const { files } = await lintSources([{ file: name, text, regoVersion }], { config, flags: { enable: [rule] } });
    const [linted] = files;
    if (linted === undefined) return [];
    const edits = editsOf(linted.file, rule, (span) => {
      return at === undefined || overlaps(rangeBetween(source, span.start, span.end), at);
    });
    return edits.map(({ start, end, text: newText }) => ({ range: rangeBetween(source, start, end), newText }));
  } catch (error) {
    if (error instanceof CompileErrors || error instanceof FormatError) return [];
    throw error;
  }
}

/** The text with all fixes made; the same text where it cannot be read. */
export async function allFixed({ name, text, regoVersion }: PolicyFile, config: LintConfig): Promise<string> {
  try {
    const [fixed] = await fix([{ file: name, text, regoVersion }], { config });
    return fixed?.text ?? text;
  } catch (error) {
    if (error instanceof CompileErrors) return text;
    throw error;
  }
}
