// Signed tokens: each input has another one, which is verified and decoded.
import { createHmac } from 'node:crypto';

export const meta = { entrypoint: 'tokens/decision', title: 'tokens signed with a secret', timed: [0, 1, 2, 3] };

const secret = 'a secret of thirty-two characters';
const issuer = 'https://id.example.test';
const roles = ['admin', 'developer', 'operator', 'viewer', 'auditor'];
const sections = ['users', 'orders', 'items', 'audit'];
const methods = ['GET', 'POST', 'PUT'];

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(i) {
  const claims = { iss: issuer, sub: `user-${i}`, exp: 1_900_000_000, roles: [roles[i % 5], roles[(i * 3 + 1) % 5]] };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  const key = i % 7 === 6 ? 'another secret' : secret;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

export function generate() {
  const permissions = {};
  for (const [r, role] of roles.entries())
    permissions[role] = Array.from({ length: 6 }, (_, i) => ({
      method: methods[(r + i) % 3],
      prefix: `/${sections[(r * i + i) % 4]}/`,
    }));
  const inputs = Array.from({ length: 28 }, (_, i) => ({
    method: methods[i % 2],
    path: `/${sections[(i * 5) % 4]}/${i}`,
    headers: { authorization: `Bearer ${token(i)}` },
  }));
  return { data: { secret, issuer, now: 1_800_000_000_000_000_000, permissions }, inputs };
}
