/** The page's script: shows the data that is in the page. */
import { render } from 'preact';
import type { PageData } from '../data/page-data.js';
import { engineOfPage } from '../run/engine-client.js';
import { RunState } from '../run/run-state.js';
import { App } from './app.js';
import { PageState } from './page-state.js';

const data = JSON.parse(document.getElementById('data')!.textContent) as PageData;
document.title = `${data.title} – writ`;
const state = new PageState(data);
state.keepInFragment();
if (data.recording !== undefined) state.isRunOpen.value = true;
render(<App state={state} run={new RunState(state, engineOfPage())} />, document.getElementById('app')!);
