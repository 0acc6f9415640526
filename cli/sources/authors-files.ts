/** Modules of bundles whose text is not the author's: compilers format the policies of bundles. */

import { parseModule, printImport, printModule } from '../../compiler/index.js';
import { type Bundle, type ModuleFile, regoVersionOf } from '../../engine/index.js';
import { Addresses, loadPlan } from '../../ir-schema/index.js';
import { fittingTest, isSameFile } from '../../views/index.js';
import { filesNamed, type SourcePlaces } from './plan-sources.js';

/** A bundle with the authors' texts, where they were found. */
interface Restored {
  readonly bundle: Bundle;
  /** Modules that stay formatted, by their paths. */
  readonly formatted: ReadonlySet<string>;
}

/**
 * The bundle with authors' files in the place of formatted modules, which the places of its plans
 * do not fit. A file is taken if it fits, and if its policy is the same.
 */
export function withAuthorsFiles(bundle: Bundle, places: Pick<SourcePlaces, 'roots' | 'folders'>): Restored {
  const formatted = new Set<string>();
  if (bundle.plans.length === 0 || bundle.modules.length === 0) return { bundle, formatted };
  const tests = bundle.plans.map(({ policy: document }) => {
    const policy = loadPlan(document);
    const files = (policy.static?.files ?? []).map(({ value }) => value);
    return { files, fits: fittingTest(policy, new Addresses(policy)) };
  });
  const modules = bundle.modules.map((module): ModuleFile => {
    for (const { files, fits } of tests) {
      const name = files.find((file) => isSameFile(file, module.path) || isSameFile(file, module.bundlePath));
      if (name === undefined || fits(name, module.text)) continue;
      const found = filesNamed(name, places).find(
        ({ text }) => fits(name, text) && isSamePolicy(text, module.text, versionOf(bundle, module)),
      );
      if (found !== undefined) return { ...module, ...found };
      formatted.add(module.path);
    }
    return module;
  });
  return { bundle: { ...bundle, modules }, formatted };
}

function versionOf({ manifest }: Bundle, { bundlePath }: ModuleFile): 'v0' | 'v1' {
  return regoVersionOf(manifest, bundlePath, 1) === 1 ? 'v1' : 'v0';
}

/** Whether two texts differ in layout, comments and imports of keywords only. */
function isSamePolicy(a: string, b: string, regoVersion: 'v0' | 'v1'): boolean {
  try {
    return printedPolicy(a, regoVersion) === printedPolicy(b, regoVersion);
  } catch {
    return false;
  }
}

function printedPolicy(text: string, regoVersion: 'v0' | 'v1'): string {
  const module = parseModule('', text, { regoVersion });
  const imports = module.imports
    .map(printImport)
    .filter((line) => !/^import (?:rego\.v1|future\.keywords\b)/.test(line));
  return printModule({ ...module, imports: [] }) + imports.sort().join('\n');
}
