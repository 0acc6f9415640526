/**
 * The playground's script. The page is in a shadow root: editors then add their styles as sheets,
 * which a policy of `default-src 'self'` allows, and not as elements, which it does not.
 */
import { render } from 'preact';
import { Playground } from './page/app.js';
import { PlaygroundState } from './page/playground-state.js';

const host = document.getElementById('app')!;
const root = host.attachShadow({ mode: 'open' });
const style = document.createElement('link');
style.rel = 'stylesheet';
style.href = 'style.css';
const page = document.createElement('div');
page.className = 'shadow-page';
root.append(style, page);

const state = new PlaygroundState();
if (host.dataset.folder === undefined) await state.openLink();
else await state.openFolder();
addEventListener('hashchange', () => void state.openLink());
render(<Playground state={state} />, page);
