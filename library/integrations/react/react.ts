'use client';
/** Decisions in React: `import { Allowed, PolicyProvider, useDecision } from 'writ/react'`. */
import type { ReactNode } from 'react';
import { createContext, createElement, useCallback, useContext, useState, useSyncExternalStore } from 'react';
import type { Answer } from '../guard/core/answer.js';
import { GuardError } from '../guard/core/guard-error.js';
import { isRemoteRule, type RemoteRule, remote } from '../guard/core/remote.js';
import type { ConnectionOptions } from '../guard/core/remote-connection.js';
import { DecisionStore, failedDecision, loading, type PageDecision, settled } from './decision-store.js';

export type { PageDecision } from './decision-store.js';

/**
 * The rule that a component asks: one of a policy's module, which decides in the page at once, or a
 * rule on a server: `remote(…)` of `writ/guard`, or a path on the server of the provider.
 */
export type PageRule<Input> = ((input: Input) => Answer) | RemoteRule<Input, unknown> | string;

export interface PolicyProviderProps {
  /** The server of the paths: `writ run`, OPA, or what stands before it. */
  readonly remote?: ConnectionOptions | undefined;
  /** How long answers of decisions that are no longer shown are used again. Default: 30000. */
  readonly maxAgeMs?: number | undefined;
  readonly children?: ReactNode | undefined;
}

interface Policies {
  readonly store: DecisionStore;
  ruleOf(path: string): RemoteRule<unknown, unknown>;
}

const PoliciesContext = createContext<Policies | undefined>(undefined);

/**
 * Keeps the decisions of a server for the components below. Give it the user as its `key`: another
 * user has other decisions.
 * @example
 * <PolicyProvider key={user.id} remote={{ url: '/policies' }}>…</PolicyProvider>
 */
export function PolicyProvider({ remote: server, maxAgeMs = 30_000, children }: PolicyProviderProps): ReactNode {
  const [policies] = useState(() => policiesOf(server, maxAgeMs));
  return createElement(PoliciesContext.Provider, { value: policies }, children);
}

function policiesOf(server: ConnectionOptions | undefined, maxAgeMs: number): Policies {
  const rules = new Map<string, RemoteRule<unknown, unknown>>();
  return {
    store: new DecisionStore(maxAgeMs),
    ruleOf(path) {
      if (server === undefined)
        throw new GuardError('invalid_option', `the decision ${path} needs the remote of a PolicyProvider`);
      const rule = rules.get(path) ?? remote<unknown, unknown>({ batch: true, ...server, path });
      rules.set(path, rule);
      return rule;
    },
  };
}

/**
 * Decides in the page at once, or asks a server. Whatever has no answer is denied: after an error
 * (`error`), and while the answer of a server is awaited (`isLoading`). A page rendered on a server
 * awaits all such answers.
 * @example
 * const { allowed, reasons } = useDecision(allow, { user, action: 'delete', order });
 */
export function useDecision<Input>(rule: PageRule<Input>, input: NoInfer<Input>): PageDecision {
  const policies = useContext(PoliciesContext);
  const question = isLocal(rule) ? undefined : questionOf(policies, rule, input);
  const { key } = question ?? {};
  // Questions of one key are the same, whatever their objects.
  const subscribe = useCallback((listener: () => void) => question?.subscribe(listener) ?? (() => {}), [policies, key]);
  const asked = useSyncExternalStore(subscribe, () => question?.read() ?? loading, onServer);
  return isLocal(rule) ? decide(rule, input) : asked;
}

function onServer(): PageDecision {
  return loading;
}

function isLocal<Input>(rule: PageRule<Input>): rule is (input: Input) => Answer {
  return typeof rule === 'function' && !isRemoteRule(rule);
}

function decide<Input>(rule: (input: Input) => unknown, input: Input): PageDecision {
  try {
    const result = rule(input);
    if (result instanceof Promise)
      throw new GuardError('invalid_option', 'a rule in the page must decide at once: take a remote rule or a path');
    return settled(result);
  } catch (error) {
    return failedDecision(error);
  }
}

interface Question {
  readonly key: string | undefined;
  read(): PageDecision;
  subscribe(listener: () => void): () => void;
}

function questionOf(
  policies: Policies | undefined,
  rule: RemoteRule<never, unknown> | string,
  input: unknown,
): Question {
  try {
    if (policies === undefined)
      throw new GuardError('invalid_option', 'a decision of a server needs a PolicyProvider above it');
    const { store } = policies;
    const key = JSON.stringify([
      typeof rule === 'string' ? rule : [String(rule.options.url), rule.options.path],
      input,
    ]);
    const ask = async () =>
      await (typeof rule === 'string' ? policies.ruleOf(rule) : (rule as RemoteRule<unknown, unknown>))(input);
    return { key, read: () => store.read(key), subscribe: (listener) => store.subscribe(key, ask, listener) };
  } catch (error) {
    const decision = failedDecision(error);
    return { key: undefined, read: () => decision, subscribe: () => () => {} };
  }
}

/**
 * A function that asks the server again for all decisions that are shown, such as after a change of
 * the user's roles. Until their answers come, they are denied.
 */
export function useRefresh(): () => void {
  const policies = useContext(PoliciesContext);
  return useCallback(() => policies?.store.refresh(), [policies]);
}

export interface AllowedProps<Input> {
  readonly rule: PageRule<Input>;
  readonly input: NoInfer<Input>;
  readonly children?: ReactNode | undefined;
  /** The view of a denial: a node, or a function of the decision. Default: nothing. */
  readonly fallback?: (ReactNode | ((decision: PageDecision) => ReactNode)) | undefined;
  /** The view while the answer is awaited. Default: nothing. */
  readonly loading?: ReactNode | undefined;
}

/**
 * Shows its children if the rule allows it.
 * @example
 * <Allowed rule={allow} input={{ user, order }} fallback={({ reasons }) => reasons.join()}>
 *   <DeleteButton />
 * </Allowed>
 */
export function Allowed<Input>({ rule, input, children, fallback, loading: awaited }: AllowedProps<Input>): ReactNode {
  const decision = useDecision(rule, input);
  if (decision.allowed) return children;
  if (decision.isLoading) return awaited;
  return typeof fallback === 'function' ? fallback(decision) : fallback;
}
