/** Guards for any framework: `import { createGuard, remote } from 'writ/guard'`. */
export type { Answer } from './core/answer.js';
export type { EngineRule, GuardDecision, PreparedRule, Rule } from './core/decision.js';
export { type DenialBody, denialBody, denialResponse } from './core/denial.js';
export { createGuard, type DecisionRecord, type GuardOptions, type Outcome } from './core/guard.js';
export { GuardError, type GuardErrorCode } from './core/guard-error.js';
export type { Checked, InputOf } from './core/input-types.js';
export { type RemoteOptions, type RemoteRule, remote } from './core/remote.js';
export { RemoteError, type RemoteErrorCode } from './core/remote-error.js';
