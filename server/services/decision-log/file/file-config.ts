/** A file for events: `decision_logs.file`, or the reference's plugin `file_logger`. */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';

export interface FileConfig {
  readonly path: string;
  /** A file of more bytes is renamed, and a new one begun. */
  readonly maxSizeBytes: number;
  /** The number of renamed files that are kept. */
  readonly maxBackups: number;
  /**
   * The settings of `file_logger`: renamed files have the time in their names, and lines are of a
   * log.
   */
  readonly logger?: LoggerFileConfig | undefined;
}

export interface LoggerFileConfig {
  /** Days for which a renamed file is kept; 0 is no limit. */
  readonly maxAgeDays: number;
  /** Whether renamed files become gzip. */
  readonly compress: boolean;
  /** Whether the level leaves lines of decisions in. */
  readonly isOn: boolean;
}

/** The name of the plugin, in `plugins` and in `decision_logs.plugin`. */
export const fileLoggerPlugin = 'file_logger';

const defaults = { megabytes: 100, maxBackups: 5 } as const;
const megabyte = 1024 * 1024;

/** Where the section `decision_logs` has events written. Throws a ConfigError. */
export function parseFileConfig(config: ConfigSection, section: ConfigSection): FileConfig | undefined {
  const file = section.section('file');
  const plugin = section.string('plugin');
  if (plugin === undefined) return file && ownFile(file);
  const settings = plugin === fileLoggerPlugin ? config.section('plugins')?.section(plugin) : undefined;
  if (settings === undefined) throw new ConfigError(`invalid plugin name ${JSON.stringify(plugin)} in decision_logs`);
  if (file !== undefined) throw new ConfigError('decision_logs: either a file or a plugin, not both');
  return fileLogger(settings);
}

function ownFile(section: ConfigSection): FileConfig {
  const path = section.string('path') ?? '';
  if (path === '') throw new ConfigError('decision_logs.file: path is missing');
  const maxSizeBytes = section.positive('max_size_bytes') ?? defaults.megabytes * megabyte;
  const maxBackups = section.integer('max_backups') ?? defaults.maxBackups;
  if (maxBackups < 0 || maxBackups > 1000)
    throw new ConfigError('decision_logs.file.max_backups: must be from 0 to 1000');
  return { path, maxSizeBytes, maxBackups };
}

/** As in the reference, 0 is the default size, and no limit of the other numbers. */
function fileLogger(section: ConfigSection): FileConfig {
  const path = section.string('path') ?? '';
  if (path === '') throw new ConfigError('plugins.file_logger: path is missing');
  const [megabytes, maxBackups, maxAgeDays] = ['max_size_mb', 'max_backups', 'max_age_days'].map((name) => {
    const value = section.integer(name) ?? 0;
    if (value < 0) throw new ConfigError(`plugins.file_logger.${name}: must not be negative`);
    return value;
  }) as [number, number, number];
  const level = (section.string('level') || 'info').toLowerCase();
  if (!['debug', 'info', 'warn', 'error'].includes(level))
    throw new ConfigError(`plugins.file_logger.level: ${JSON.stringify(level)} is not a level`);
  return {
    path,
    maxSizeBytes: (megabytes || defaults.megabytes) * megabyte,
    maxBackups: maxBackups || Number.POSITIVE_INFINITY,
    logger: {
      maxAgeDays: maxAgeDays || Number.POSITIVE_INFINITY,
      compress: section.boolean('compress') ?? false,
      isOn: level === 'debug' || level === 'info',
    },
  };
}
