/** Rules of messages as validators of Standard Schema: `writ/validator`. */
import { type Issue, issuesOf } from './issues.js';

export type { Issue } from './issues.js';

/**
 * A schema by which forms and frameworks check values (https://standardschema.dev).
 * @typeParam Input the type of the values that it takes
 */
export interface Validator<Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'writ';
    readonly validate: (value: unknown) => Outcome<Input> | Promise<Outcome<Input>>;
    readonly types?: { readonly input: Input; readonly output: Input } | undefined;
  };
}

/** The value as it was given, or what is wrong with it. */
export type Outcome<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Messages, by the fields that they are about or in a list; a boolean tells none. */
type Messages = object | string | null | undefined;

/** A rule of a module. */
type RuleOfMessages<Input> = (input: Input) => Messages;

/** A rule that an engine has prepared. */
interface PreparedRule<Input> {
  decide(input: Input): { readonly result?: Messages };
  decideAsync(input: Input): Promise<{ readonly result?: Messages }>;
}

/**
 * A validator of a rule that tells what is wrong with its input: a value is valid if the rule gives
 * no message. Each message is an issue.
 *
 * - A list or a set of messages: `deny contains "no name" if not input.name`. A message is a text,
 *   or an object with the text in `message` or `msg`, and the member that it is about in `path`:
 *   a list of keys, or a text such as `user.name` or `/user/name`.
 * - Messages by members: `errors.user.name := "is missing" if not input.user.name`.
 *
 * @param rule of a module, or what `engine.prepare` gives
 * @example
 * import { deny } from './orders.rego';
 * app.post('/orders', sValidator('json', validator(deny)), (c) => …);
 * @throws TypeError when it validates and the rule gives something else, such as a boolean, and
 * where a prepared decision is undefined, so that a misspelt path makes nothing valid; what the
 * decision throws
 */
export function validator<Input>(rule: RuleOfMessages<Input> | PreparedRule<Input>): Validator<Input> {
  const outcome = (value: unknown, messages: unknown): Outcome<Input> => {
    const issues = issuesOf(messages);
    return issues.length > 0 ? { issues } : { value: value as Input };
  };
  const validate =
    typeof rule === 'function'
      ? (value: unknown) => outcome(value, rule(value as Input))
      : (value: unknown) => {
          const decided = decisionOf(rule, value as Input);
          return decided instanceof Promise ? decided.then((one) => outcome(value, one)) : outcome(value, decided);
        };
  return { '~standard': { version: 1, vendor: 'writ', validate } };
}

/** The messages, at once unless a built-in has to wait. */
function decisionOf<Input>(rule: PreparedRule<Input>, input: Input): unknown {
  try {
    return defined(rule.decide(input));
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== 'eval_wait_error') throw error;
    return rule.decideAsync(input).then(defined);
  }
}

function defined({ result }: { readonly result?: Messages }): unknown {
  if (result !== undefined) return result;
  throw new TypeError('the decision of messages is undefined: make it a set, which is empty where nothing is wrong');
}
