/** The state of the page: the last answer of the server, those before it, and the open tab. */

import { effect, signal } from '@preact/signals';
import type { Theme } from '../page/theme-button.js';
import { askServer, keepToken, Refusal } from './ask-server.js';
import type { MetricsView, ServerView } from './server-view.js';

export const tabs = ['overview', 'policies', 'data', 'decisions', 'query'] as const;
export type Tab = (typeof tabs)[number];
export const serverTabTitles: Readonly<Record<Tab, string>> = {
  overview: 'Overview',
  policies: 'Policies',
  data: 'Data',
  decisions: 'Decisions',
  query: 'Query',
};

/** Milliseconds between two questions. */
const pauseMs = 2000;
/** Measurements that the graphs show. */
const mostSamples = 150;

export interface MetricsSample extends MetricsView {
  readonly nowMs: number;
}

export class ServerState {
  /** Undefined until the first answer. */
  readonly view = signal<ServerView | undefined>(undefined);
  /** Why there is no newer answer. */
  readonly problem = signal<string | undefined>(undefined);
  /** Whether the server wants a token, or another one. */
  readonly wantsToken = signal(false);
  readonly samples = signal<readonly MetricsSample[]>([]);
  readonly tab = signal<Tab>(tabOf(location.hash));
  readonly theme = signal<Theme>('auto');
  /** Whether the server is asked again and again. */
  readonly isLive = signal(true);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks until the page is closed, and keeps the tab in the address. */
  follow(): void {
    addEventListener('hashchange', () => (this.tab.value = tabOf(location.hash)));
    effect(() => {
      if (tabOf(location.hash) !== this.tab.value) location.hash = this.tab.value;
    });
    effect(() => {
      if (this.isLive.value) void this.refresh();
      else clearTimeout(this.#timer);
    });
  }

  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const view = await askServer<ServerView>('ui/state');
      this.view.value = view;
      this.samples.value = [...this.samples.peek(), { ...view.metrics, nowMs: view.nowMs }].slice(-mostSamples);
      this.problem.value = undefined;
      this.wantsToken.value = false;
    } catch (error) {
      this.wantsToken.value = error instanceof Refusal && error.status === 401;
      this.problem.value = error instanceof Refusal ? error.message : 'The server does not answer.';
    }
    clearTimeout(this.#timer);
    if (this.isLive.peek() && !this.wantsToken.peek()) this.#timer = setTimeout(() => void this.refresh(), pauseMs);
  }

  /** Asks with another token, which is kept until the tab of the browser is closed. */
  useToken(token: string): void {
    keepToken(token);
    void this.refresh();
  }
}

function tabOf(hash: string): Tab {
  return tabs.find((tab) => `#${tab}` === hash) ?? 'overview';
}
