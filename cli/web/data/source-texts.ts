import type { DebugInfo } from '../../../ir-schema/index.js';
import { isSameFile } from '../../../views/index.js';
import type { PageSource } from './page-data.js';

/**
 * The texts of a page, those of authors first.
 * @param shown the texts with the lines of the plan and of its debug information
 * @param modules the policies beside the plan
 */
export function sourceTexts(
  shown: readonly PageSource[],
  modules: readonly PageSource[],
  debug: DebugInfo | undefined,
): readonly PageSource[] {
  const isGenerated = new Map((debug?.sources ?? []).map(({ file, generated }) => [file, generated === true]));
  if (![...isGenerated.values()].includes(true)) return [...shown, ...otherPolicies(shown, modules)];
  // The bundle's other policies: queries are planned over them.
  const isOriginal = ({ file }: PageSource) => isGenerated.get(file) === false;
  const originals = shown.filter(isOriginal).map(({ file, text }): PageSource => ({ file, text, isOriginal: true }));
  const generated = shown.filter((source) => !isOriginal(source));
  const left = modules.filter((module) => !generated.some(({ file }) => file === module.file));
  const names = new Set(originals.map(({ file }) => file));
  const named = left.map(({ file, text }) => ({ file: names.has(file) ? `${file} (in the bundle)` : file, text }));
  return [...originals, ...generated, ...named];
}

/** The modules of a bundle are formatted: they stand for the same rules as the texts shown. */
function otherPolicies(shown: readonly PageSource[], modules: readonly PageSource[]): readonly PageSource[] {
  const isShown = (module: PageSource) =>
    shown.some(({ file, text }) => text === module.text || isSameFile(file, module.file));
  return modules.filter((module) => !isShown(module));
}
