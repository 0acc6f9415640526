/** The line at the bottom: the statement that is pointed at, its place, and why it stands there. */
import type { Links } from './links.js';
import { count, type PageState } from './page-state.js';

export function StatusBar({ state }: { readonly state: PageState }) {
  const lit = state.lit.value;
  const links = state.links.value;
  const [first] = lit;
  return (
    <footer class="status">
      {first === undefined ? <Summary links={links} /> : <Statement links={links} statement={first} more={lit.length - 1} />}
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

function Statement({ links, statement, more }: { readonly links: Links; readonly statement: number; readonly more: number }) {
  return (
    <>
      <code class="address">{links.address(statement)}</code>
      {more > 0 && <span>and {more} more</span>}
      <span>{links.positionOf(statement)}</span>
    </>
  );
}
