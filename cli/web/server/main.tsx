/** The script of a server's page. */
import { render } from 'preact';
import { ServerPage } from './app.js';
import { ServerState } from './server-state.js';

const state = new ServerState();
state.follow();
render(<ServerPage state={state} />, document.getElementById('app')!);
