/** The frame of the page: title, health, tabs. */
import { ThemeButton } from '../page/theme-button.js';
import { DataTree } from './data-tree.js';
import { DecisionsTab } from './decisions.js';
import { Overview } from './overview.js';
import { PoliciesTab } from './policies.js';
import { QueryBox } from './query-box.js';
import { type ServerState, serverTabTitles, tabs } from './server-state.js';
import type { ServerView } from './server-view.js';

interface PageProps {
  readonly state: ServerState;
}

export function ServerPage({ state }: PageProps) {
  const view = state.view.value;
  return (
    <div class="page">
      <TopBar state={state} />
      <Problem state={state} />
      <main class="main" aria-label={serverTabTitles[state.tab.value]}>
        {state.wantsToken.value ? <TokenForm state={state} /> : view && <Tab state={state} view={view} />}
      </main>
    </div>
  );
}

function Tab({ state, view }: PageProps & { readonly view: ServerView }) {
  switch (state.tab.value) {
    case 'policies':
      return <PoliciesTab view={view} />;
    case 'data':
      return <DataTree />;
    case 'decisions':
      return <DecisionsTab view={view} />;
    case 'query':
      return <QueryBox />;
    default:
      return <Overview state={state} view={view} />;
  }
}

function TopBar({ state }: PageProps) {
  const view = state.view.value;
  const isReady = view?.health.isReady === true && state.problem.value === undefined;
  return (
    <header class="top">
      <h1>
        <span class="brand">writ</span>{' '}
        <span class="soft">{view ? `${view.version} on ${location.host}` : location.host}</span>
      </h1>
      {view && <span class={isReady ? 'badge good' : 'badge bad'}>{isReady ? 'ready' : 'not ready'}</span>}
      <nav aria-label="Views">
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            aria-current={state.tab.value === tab ? 'page' : undefined}
            onClick={() => (state.tab.value = tab)}
          >
            {serverTabTitles[tab]}
          </button>
        ))}
      </nav>
      <button
        type="button"
        aria-pressed={state.isLive.value}
        onClick={() => (state.isLive.value = !state.isLive.value)}
      >
        Live
      </button>
      <ThemeButton chosen={state.theme} />
    </header>
  );
}

function Problem({ state }: PageProps) {
  return (
    <div role="status" class="problem" hidden={state.problem.value === undefined}>
      {state.problem.value}
    </div>
  );
}

/** Without a policy that lets the page in, the page has nothing but this form. */
function TokenForm({ state }: PageProps) {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        state.useToken(String(new FormData(event.currentTarget).get('token')).trim());
      }}
    >
      <label>
        Token <input name="token" type="password" autocomplete="off" required />
      </label>
      <button type="submit">Open</button>
      <p class="soft">
        The authorization policy of the server decides what this page may read, as it does for the API.
      </p>
    </form>
  );
}
