/** The page's script: shows the data that is in the page, or that its server has. */
import { render } from 'preact';
import type { PageData } from '../data/page-data.js';
import { engineOfPage } from '../run/engine-client.js';
import { RunState } from '../run/run-state.js';
import { askServer } from '../server/ask-server.js';
import { App } from './app.js';
import { PageState } from './page-state.js';

const app = document.getElementById('app')!;
const data = JSON.parse(document.getElementById('data')!.textContent) as PageData | null;
if (data !== null) show(data);
else
  askServer<PageData>(`plan/data${location.search}`).then(show, ({ message }: Error) =>
    render(
      <main class="pane-problem">
        <h1>
          <strong>There is no plan to show</strong>
        </h1>
        <p role="alert">{message}</p>
      </main>,
      app,
    ),
  );

function show(data: PageData): void {
  document.title = `${data.title} – writ`;
  const state = new PageState(data);
  state.keepInFragment();
  if (data.recording !== undefined) state.isRunOpen.value = true;
  render(<App state={state} run={new RunState(state, engineOfPage())} />, app);
}
