/**
 * The door of the library for the command, which loads less than users do: `index.ts` is the entry
 * of the package.
 */

export { libraryFilter } from './filters/filter.js';
export type { FilterTarget } from './filters/filter-options.js';
export { engineOf, LibraryEngine, sourcesBeside } from './library-engine.js';
export { moduleOfPlan } from './modules/module-of-plan.js';
export { readModuleUnits } from './modules/units-file.js';
export { partialDecision } from './partial/partial-decision.js';
export { documentPathText } from './paths/document-path.js';
export type { Source } from './sources/sources.js';
export { webPlatform } from './web/web-platform.js';
