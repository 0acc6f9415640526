/** The plugin `authzen` in a configuration. */

import { isArray, type Value } from '../../../values/index.js';
import { ConfigError, ConfigSection, decisionPath } from '../../services/config/config-section.js';

export const authzenPlugin = 'authzen';

/** The kinds of entities that a search can be for. */
export const entityKinds = ['subject', 'resource', 'action'] as const;
export type EntityKind = (typeof entityKinds)[number];

/** A decision for some requests. A member that is absent fits any request. */
export interface MappedPath {
  readonly subjectType: string | undefined;
  readonly action: string | undefined;
  readonly resourceType: string | undefined;
  readonly path: readonly string[];
}

export interface AuthzenConfig {
  /** The decision for requests that no row of `paths` fits. */
  readonly path: readonly string[];
  /** The first row that fits a request counts. */
  readonly paths: readonly MappedPath[];
  /** Where clients find this server, without a slash at its end. */
  readonly url: string | undefined;
  /** Whether every denial has its reasons. */
  readonly reasons: boolean;
  /** The documents that list candidates of searches. */
  readonly search: { readonly [kind in EntityKind]?: readonly string[] | undefined };
  /** The most results of one page. */
  readonly pageSize: number;
}

const defaults = { path: 'authzen/allow', pageSize: 1000 } as const;

/** Undefined where the API is not served. Throws a ConfigError. */
export function parseAuthzen(config: ConfigSection): AuthzenConfig | undefined {
  const plugins = config.section('plugins');
  const section = plugins?.has(authzenPlugin) === true ? plugins.section(authzenPlugin) : undefined;
  if (section === undefined) return undefined;
  const place = `plugins.${authzenPlugin}`;
  const search = section.section('search');
  return {
    path: decisionPath(section.string('path') ?? defaults.path, `${place}.path`),
    paths: rowsOf(section.value('paths'), `${place}.paths`),
    url: urlOf(section.string('url'), `${place}.url`),
    reasons: section.boolean('reasons') ?? false,
    search: Object.fromEntries(
      entityKinds.map((kind) => {
        const path = search?.string(kind);
        return [kind, path === undefined ? undefined : decisionPath(path, `${place}.search.${kind}`)];
      }),
    ),
    pageSize: search?.positive('page_size') ?? defaults.pageSize,
  };
}

function rowsOf(rows: Value | undefined, place: string): readonly MappedPath[] {
  if (rows === undefined) return [];
  if (!isArray(rows)) throw new ConfigError(`${place}: must be an array`);
  return rows.map((row, i) => {
    const at = `${place}[${i}]`;
    const section = new ConfigSection(row, at);
    const path = section.string('path');
    if (path === undefined) throw new ConfigError(`${at}: needs a path`);
    return {
      subjectType: section.string('subject_type'),
      action: section.string('action'),
      resourceType: section.string('resource_type'),
      path: decisionPath(path, `${at}.path`),
    };
  });
}

function urlOf(text: string | undefined, place: string): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && !/[?#]/.test(text);
  if (!isPlain) throw new ConfigError(`${place}: must be an http or https URL without a query and a fragment`);
  return text.replace(/\/+$/, '');
}
