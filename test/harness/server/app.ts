/** For tests: an app over an engine, without sockets. */

import { Engine } from '../../../engine/engine.js';
import type { LongEvaluations } from '../../../engine/evaluation/long-evaluations.js';
import { createContext } from '../../../engine/shared-context.js';
import { queriesIn } from '../../../engine/threads/query-thread.js';
import type { SideThread } from '../../../engine/threads/side-thread.js';
import type { AppContext, Settings } from '../../../server/control/app-context.js';
import { readConfig } from '../../../server/control/server-config.js';
import { createApp, type ServerApp } from '../../../server/http/app.js';
import { plainOptions } from '../../../server/http/decisions.js';
import { PreparedDecisions } from '../../../server/http/prepared-decisions.js';
import { RequestDurations } from '../../../server/observability/request-durations.js';
import { RecentDecisions } from '../../../server/services/decision-log/recent-decisions.js';
import { type Logger, silentLogger } from '../../../server/services/logs/logger.js';
import { PluginManager } from '../../../server/services/manager.js';
import type { Tracing } from '../../../server/services/tracing/tracing.js';
import { startWriting } from '../../../server/storage/start-writing.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import type { PlainObject } from '../../../values/value.js';

export interface TestServer {
  readonly context: AppContext;
  readonly app: ServerApp;
  /** Ends following a log of writes. */
  close(): Promise<void>;
  /** The status and the body's text. */
  ask(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
}

export interface TestOptions extends Partial<Pick<Settings, 'authentication' | 'authorization'>> {
  readonly policies?: Readonly<Record<string, string>>;
  readonly data?: PlainObject;
  readonly config?: PlainObject;
  readonly longEvaluations?: LongEvaluations;
  /** Compiles long queries and reads long YAML. */
  readonly sideThread?: SideThread;
  /** The log; silent if left out. */
  readonly logger?: Logger;
  /** The log of decisions and status. */
  readonly console?: Logger;
  readonly tracing?: Tracing | undefined;
}

export async function testServer({
  policies = {},
  data = {},
  config = {},
  longEvaluations,
  sideThread,
  logger = silentLogger,
  console = silentLogger,
  tracing,
  ...modes
}: TestOptions = {}): Promise<TestServer> {
  const read = readConfig(config);
  const engine = new Engine({
    context: createContext({ host: tracing === undefined ? nodeHost : { ...nodeHost, network: tracing.network(nodeHost.network!) } }),
    longEvaluations,
    compileElsewhere: sideThread && queriesIn(sideThread),
  });
  const operations = Object.entries(data).map(([key, value]) => ({ op: 'write', path: [key], value }) as const);
  await engine.commit({ policies: new Map(Object.entries(policies)), data: operations });
  const { writing, stop } = await startWriting(read.storage, { engine, logger, release: 'test' });
  const recent = new RecentDecisions();
  const plugins = new PluginManager(read.plugins, { engine, logger: silentLogger, console, labels: read.labels, recent });
  await plugins.start();
  const settings: Settings = {
    authentication: 'off',
    authorization: 'off',
    ...modes,
    ...read.settings,
    limits: { ...read.settings.limits, sideThread },
  };
  const decisions = new PreparedDecisions(engine, plainOptions(settings));
  const context: AppContext = {
    engine,
    decisions,
    writing,
    plugins,
    logger,
    durations: new RequestDurations(),
    settings,
    tracing,
    recent,
  };
  const app = createApp(context);
  return {
    context,
    app,
    close: stop,
    async ask(method, path, body, headers = {}) {
      const request = new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) });
      const response = await app.fetch(request);
      return { status: response.status, text: await response.text() };
    },
  };
}
