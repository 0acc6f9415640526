/** Modules to lint: texts of either version of the language. */

import { CompileErrors, type Module, parseModule, type SyntaxCapabilities } from '../../../compiler/index.js';

/**
 * Reads a text as the version that is stated, or else as version 1, and if it is not valid there,
 * as the other one. Throws the `CompileErrors` of the first attempt.
 */
export function readModule(
  file: string,
  text: string,
  stated: 'v0' | 'v1' | undefined,
  capabilities?: SyntaxCapabilities,
): Module {
  const isOld = file.endsWith('_v0.rego');
  const first = isOld ? 'v0' : (stated ?? 'v1');
  try {
    return parse(file, text, first, capabilities);
  } catch (error) {
    if (!(error instanceof CompileErrors) || isOld) throw error;
    try {
      return parse(file, text, first === 'v1' ? 'v0' : 'v1', capabilities);
    } catch {
      throw error;
    }
  }
}

function parse(file: string, text: string, regoVersion: 'v0' | 'v1', capabilities?: SyntaxCapabilities): Module {
  return parseModule(file, text, { regoVersion, ...(regoVersion === 'v0' && capabilities && { capabilities }) });
}
