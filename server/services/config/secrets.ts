/** Configurations without their secrets, to be shown. */
import { isDocumentObject } from '../../../runtime/index.js';
import type { PlainObject, Value } from '../../../values/index.js';

/** A configuration without credentials of services and without keys. */
export function withoutSecrets(config: PlainObject): PlainObject {
  const shown: Record<string, Value> = { ...config };
  if (config.services !== undefined)
    shown.services = eachOf(config.services, (service) => withoutCredentials(without(service, ['credentials'])));
  if (isDocumentObject(config.storage)) shown.storage = eachOf(config.storage, withoutPassword);
  if (config.keys !== undefined) shown.keys = eachOf(config.keys, (key) => without(key, ['key', 'private_key']));
  return shown;
}

/** Names of headers that carry secrets. */
const secretHeader = /authorization|cookie|token|secret|password|credential|(?:^|-)key$/i;

/** A service without the password of its URL and without headers that carry secrets. */
function withoutCredentials(service: PlainObject): PlainObject {
  const { url, headers } = service;
  const secret = isDocumentObject(headers) ? Object.keys(headers).filter((name) => secretHeader.test(name)) : [];
  return {
    ...service,
    ...(typeof url === 'string' && { url: withoutUser(url) }),
    ...(secret.length > 0 && { headers: without(headers as PlainObject, secret) }),
  };
}

/** The user ends at the last `@` before the path, as `URL` reads it. */
function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}

/** A database without the password of its URL, which may be a parameter too. */
function withoutPassword(database: PlainObject): PlainObject {
  const { url } = database;
  return typeof url === 'string' ? { ...database, url: withoutUser(url).replace(/\?.*$/s, '') } : database;
}

function without(object: PlainObject, keys: readonly string[]): PlainObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Changes each member of an object or an array that is an object. */
function eachOf(members: Value, change: (member: PlainObject) => PlainObject): Value {
  const changed = (member: Value) => (isDocumentObject(member) ? change(member) : member);
  if (Array.isArray(members)) return (members as Value[]).map(changed);
  if (!isDocumentObject(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, changed(member)]));
}
