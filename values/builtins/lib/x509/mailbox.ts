import { isDomainName } from './alternative-names.js';

export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

const quoted =
  /^"((?:[\u0001-\u0008\u000b\u000c\u000e-\u0021\u0023-\u005b\u005d-\u007f]|\\[\u0001-\u0009\u000b\u000c\u000e-\u007f])*)"@(.*)$/s;
const plain = /^((?:[0-9a-zA-Z!#$%&'*+\-/=?^_`{|}~.]|\\.)+)@(.*)$/s;

/** The parts of a mail address (RFC 2821), undefined if the text is not an address. */
export function parseMailbox(text: string): Mailbox | undefined {
  const found = text.startsWith('"') ? quoted.exec(text) : plain.exec(text);
  if (found === null) return undefined;
  const [, written = '', domain = ''] = found;
  const local = written.replace(/\\(.)/gs, '$1');
  if (!text.startsWith('"') && (local.startsWith('.') || local.endsWith('.') || local.includes('..'))) return undefined;
  return isDomainName(domain) ? { local, domain } : undefined;
}
