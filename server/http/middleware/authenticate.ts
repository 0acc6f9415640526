/** The identity of a client: the text of a token, or the subject of a certificate. */
import type { TLSSocket } from 'node:tls';
import { certificateWithUriStrings, type NameAttribute, parseCertificate, type Value } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import type { Exchange } from '../requests/exchange.js';
import { clientChain } from '../sockets/client-chain.js';

interface Identity {
  readonly identity?: string;
  readonly client_certificates?: Value;
}

const bearer = /^Bearer[ \t]+(\S+)$/;

export function identify(exchange: Exchange, { authentication }: Settings): Identity {
  if (authentication === 'token') {
    const token = bearer.exec(exchange.header('authorization')?.trim() ?? '')?.[1];
    return token === undefined ? {} : { identity: token };
  }
  const { tls } = exchange;
  if (authentication !== 'tls' || tls === undefined) return {};
  let identity = identities.get(tls);
  if (identity === undefined) identities.set(tls, (identity = identityOf(tls)));
  return identity;
}

/** Identities by connection: its certificates do not change. */
const identities = new WeakMap<TLSSocket, Identity>();

function identityOf(socket: TLSSocket): Identity {
  // They were verified when the connection was made.
  const certificates = clientChain(socket).map(({ raw }) => parseCertificate(raw));
  const [first] = certificates;
  if (first === undefined) return {};
  return { identity: subjectText(first.subject), client_certificates: certificates.map(certificateWithUriStrings) };
}

/** The attributes that Go prints, in its order, by the last number of their OID below 2.5.4. */
const shownAttributes: readonly (readonly [id: number, shown: string])[] = [
  [5, 'SERIALNUMBER'],
  [3, 'CN'],
  [17, 'POSTALCODE'],
  [9, 'STREET'],
  [8, 'ST'],
  [7, 'L'],
  [11, 'OU'],
  [10, 'O'],
  [6, 'C'],
];

/** Attributes of which only the last counts. */
const single = [3, 5];

/** A subject as Go prints it: `CN=al,OU=a+OU=b,O=acme`. */
export function subjectText(subject: readonly NameAttribute[]): string {
  return shownAttributes
    .flatMap(([id, shown]) => {
      const all = subject.filter(({ type }) => type.join('.') === `2.5.4.${id}`);
      const values = (single.includes(id) ? all.slice(-1) : all).filter(
        ({ value }) => value !== '' || !single.includes(id),
      );
      return values.length === 0 ? [] : [values.map(({ value }) => `${shown}=${escaped(value)}`).join('+')];
    })
    .join(',');
}

function escaped(value: string): string {
  return value.replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&');
}
