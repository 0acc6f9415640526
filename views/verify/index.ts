/** Configuration files checked by policies: formats, rules, results, places. */
export { type CheckSettings, NamespaceCheck } from './check.js';
export {
  type ConfigFile,
  ConfigFileError,
  type ConfigReadOptions,
  documentsOfFile,
  filesOf,
  readConfigFile,
} from './files.js';
export { placeIn, shownLine } from './formats/lines.js';
export { readText } from './formats/read-text.js';
export { isMatch, MissingNamespaceError, type Namespaces } from './gatekeeper/match.js';
export {
  listOf,
  memberAt,
  type Resource,
  resourceError,
  resourcesOf,
  resourceText,
  textAt,
} from './gatekeeper/resources.js';
export { inventoryOf, reviewOf } from './gatekeeper/review.js';
export { isConstraint, isTemplate, type Template, templateOf } from './gatekeeper/templates.js';
export type { NumberMode } from './numbers.js';
export { resultsAzure } from './outputs/azuredevops.js';
export { resultsGithub } from './outputs/github.js';
export { resultsJson } from './outputs/json.js';
export { resultsJunit } from './outputs/junit.js';
export { resultsWithPlaces } from './outputs/places.js';
export { resultsSarif } from './outputs/sarif.js';
export { resultsStandard, tracesText } from './outputs/standard.js';
export { resultRows, splitRows, tableTitles } from './outputs/table.js';
export { resultsTap } from './outputs/tap.js';
export { parseBuiltins } from './parse-builtins.js';
export { FailurePlaces, type SourceOf } from './places/placing.js';
export { mayAskForFile, withoutRules } from './policy-data.js';
export { type CheckResult, exitCodeOf, joined, type Result, resultsOf } from './results.js';
export { checkedRules, namespaceOf, namespacesOf } from './rule-names.js';
