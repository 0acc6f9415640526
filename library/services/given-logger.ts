/** Logs that the caller gives, as services write to them. */
import { Logger as LineLogger } from '../../server/services/logs/logger.js';
import type { PluginLogger } from '../../server/services/plugin.js';
import { jsonCopy } from '../../values/json/deep-json.js';
import { toPlain } from '../../values/json/json.js';
import type { PlainObject } from '../../values/value.js';
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
