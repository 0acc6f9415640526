/** Changes of policies: logged decisions made again by two versions, and inputs that differ. */
export { compareVersions } from './compare-versions.js';
export { type LoggedEvent, readEvent } from './events/logged-event.js';
export {
  type EventBatches,
  type EventPlace,
  eventsOf,
  givenEvents,
  type PlacedEvent,
  type ReadEvent,
} from './events/read-events.js';
export { changeGithub, changeSarif } from './outputs/annotations.js';
export { changeMarkdown } from './outputs/markdown.js';
export { changePretty } from './outputs/pretty.js';
export type { PolicyVersion, VersionPair } from './policy-version.js';
export type { ChangeReport, LogProblem } from './report.js';
export { type InputFilter, inputsOf } from './search/made-inputs.js';
export { PolicyInputs } from './search/policy-inputs.js';
export { shrunk } from './search/shrink.js';
