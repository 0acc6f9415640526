/** `conftest fmt`: writes policies in the canonical layout into their files. */
import { writeFileSync } from 'node:fs';
import { formatText } from '../../compiler/index.js';
import { ConfigFileError } from '../../views/node.js';
import { loadPolicies } from '../load-policies.js';
import type { VerifySettings } from './settings.js';

/** Rejects with a ConfigFileError, before any file is changed where a policy does not parse. */
export async function formatFiles(paths: readonly string[], settings: VerifySettings): Promise<number> {
  const version = (settings.text('rego-version') ?? 'v1').toLowerCase();
  if (version !== 'v0' && version !== 'v1')
    throw new ConfigFileError(
      `failed to parse rego-version flag: invalid Rego version: ${settings.text('rego-version')}`,
    );
  const { parsed } = await loadPolicies(paths, { version, capabilities: undefined, onlyRego: true }).catch(
    (error: Error) => {
      throw new ConfigFileError(`get rego files: ${error.message}`);
    },
  );
  if (parsed.length === 0) throw new ConfigFileError(`no policies found in [${paths.join(' ')}]`);
  for (const { file } of parsed) {
    const formatted = formatText(file.path, file.text, { regoVersion: version });
    if (formatted === file.text) continue;
    if (settings.on('check')) throw new ConfigFileError('files not formatted');
    writeFileSync(file.path, formatted);
  }
  return 0;
}
