/** Policies of an engine's sources, parsed. Loaded only where there are any. */

import { type Module, parseModule } from '../../compiler/index.js';
import type { NamedBundle, PolicyRecord } from '../../engine/index.js';
import { checkWasmRules, moduleVersion, parseBundleModule, parseOptions, type Reading } from '../../engine/index.js';
import { EngineError } from '../errors/engine-error.js';

/**
 * The modules of bundles, in the language that each says, and some texts by name. Throws
 * CompileErrors or a BundleError, and an EngineError for a name that two have.
 */
export function parseSources(
  bundles: readonly NamedBundle[],
  texts: ReadonlyMap<string, string>,
  reading: Reading,
): ReadonlyMap<string, PolicyRecord> {
  const records = new Map<string, PolicyRecord>();
  for (const { bundle } of bundles) {
    const modules: Module[] = [];
    for (const file of bundle.modules) {
      const module = parseBundleModule(file, moduleVersion(bundle, file, reading), reading);
      records.set(file.path, { id: file.path, raw: file.text, module, bundle: undefined });
      modules.push(module);
    }
    checkWasmRules(bundle.manifest.wasm, modules);
  }
  for (const [name, text] of texts) {
    const module = parseModule(name, text, parseOptions(reading));
    if (records.has(name)) throw new EngineError('policy_conflict', `two sources have a policy ${name}`);
    records.set(name, { id: name, raw: text, module, bundle: undefined });
  }
  return records;
}
