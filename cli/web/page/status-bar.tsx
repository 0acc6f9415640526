/** The line at the bottom: the statement that is pointed at, its place, and why it stands there. */
import type { DebugReason } from '../../../ir-schema/index.js';
import type { Links } from './links.js';
import { count, type PageState } from './page-state.js';

export function StatusBar({ state }: { readonly state: PageState }) {
  const lit = state.lit.value;
  const links = state.links.value;
  const [first] = lit;
  return (
    <footer class="status">
      {first === undefined ? (
        <Summary links={links} />
      ) : (
        <Statement links={links} statement={first} more={lit.length - 1} />
      )}
      <span class="version">writ {state.data.version}</span>
    </footer>
  );
}

function Summary({ links: { owners, size } }: { readonly links: Links }) {
  const plans = owners.filter(({ kind }) => kind === 'plan').length;
  return (
    <span>
      {count(plans, 'entrypoint')} · {count(owners.length - plans, 'function')} · {count(size, 'statement')}
    </span>
  );
}

/** Why a statement stands where it stands. */
const reasonTexts: Readonly<Record<DebugReason, string>> = {
  expression: 'where its author wrote it',
  rule: 'gives the value of the rule',
  'index order': 'moved: the rule index decides the order of rules',
  guard: 'moved: asked first, since it may end the body at once',
  argument: 'matches an argument or a key with the head',
  'early exit': 'skips a rule whose value is already known',
  literal: 'a literal in a function of its own, which all rules share',
  package: 'gathers the rules of a package',
  query: 'answers the query or entrypoint',
  partial: 'in a rule that partial evaluation has made',
  inlined: 'comes from another rule',
  hoisted: 'moved out of a loop',
  shared: 'in place of a computation that was done before',
};

function Statement({
  links,
  statement,
  more,
}: {
  readonly links: Links;
  readonly statement: number;
  readonly more: number;
}) {
  const reason = links.reasonOf(statement);
  return (
    <>
      <code class="address">{links.address(statement)}</code>
      {more > 0 && <span>and {more} more</span>}
      <span>{links.positionOf(statement)}</span>
      {reason !== undefined && <span class="reason">{reasonTexts[reason]}</span>}
    </>
  );
}
