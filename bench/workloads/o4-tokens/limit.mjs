import { createHmac, timingSafeEqual } from 'node:crypto';

const decoded = (section) => Buffer.from(section, 'base64url');

export default ({ secret, issuer, now, permissions }) => {
  const claimsOf = (token) => {
    const [header, payload, signature] = token.split('.');
    if (JSON.parse(decoded(header)).alg !== 'HS256') return undefined;
    const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
    const given = decoded(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = JSON.parse(decoded(payload));
    return claims.iss === issuer && claims.exp * 1e9 > now ? claims : undefined;
  };
  return ({ method, path, headers: { authorization } }) => {
    const claims = authorization.startsWith('Bearer ') ? claimsOf(authorization.slice(7)) : undefined;
    for (const role of claims?.roles ?? []) {
      for (const permission of permissions[role] ?? []) {
        if (permission.method === method && path.startsWith(permission.prefix))
          return { allow: true, user: claims.sub, roles: claims.roles.map((name) => name.toUpperCase()) };
      }
    }
    return { allow: false };
  };
};
