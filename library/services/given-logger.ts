/** Logs that the caller gives, as services write to them. */

import type { PluginLogger } from '../../server/index.js';
import { Logger as LineLogger } from '../../server/index.js';
import type { PlainObject } from '../../values/index.js';
import { jsonCopy, toPlain } from '../../values/index.js';
import type { EngineLogger, LogFields } from './service-options.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A caller's log, or lines of JSON of at least a level on standard error. */
export function loggerOf(given: Partial<EngineLogger> | undefined, level: 'info' | 'warn'): PluginLogger {
  if (given === undefined) return new LineLogger({ level, format: 'json' });
  const write = (level: Level) => (message: string, fields?: PlainObject) => {
    // An error of a log ends no decision.
    try {
      given[level]?.(message, fields && (toPlain(jsonCopy(fields)) as LogFields));
      return true;
    } catch {
      return false;
    }
  };
  const info = write('info');
  return { debug: write('debug'), info, show: info, warn: write('warn'), error: write('error') };
}
