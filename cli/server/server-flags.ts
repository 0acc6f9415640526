/** The flags of `run`. */

import { skipVerifyFlag, verificationFlags } from '../bundles/signing.js';
import {
  bundleModeFlag,
  ignoreFlag,
  maxErrorsFlag,
  noCodegenFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { type Flag, group } from '../flags.js';
import { configurationFlags, logFlags } from './configuration-flags.js';

const always = 'documents and syntax trees are always kept in the form that is fastest to read';

export const serverFlags: readonly Flag[] = [
  ...group(
    'Policies and data',
    bundleModeFlag,
    { name: 'watch', short: 'w', type: 'bool', usage: 'load again when a file changes' },
    ignoreFlag,
    maxErrorsFlag,
    v0Flag,
    v1Flag,
    yamlFlag,
    {
      name: 'optimize-store-for-read-speed',
      type: 'bool',
      usage: 'keep documents in the form that is read fastest',
      ignored: always,
    },
    {
      name: 'read-ast-values-from-store',
      type: 'bool',
      usage: 'keep documents as terms of the syntax tree',
      ignored: always,
    },
  ),
  ...group(
    'Server',
    { name: 'server', short: 's', type: 'bool', usage: 'serve the REST API instead of a prompt' },
    {
      name: 'addr',
      short: 'a',
      type: 'strings',
      usage: 'addresses to serve at: host:port, :port, an http, https or unix:// URL',
      default: '[localhost:8181]',
    },
    {
      name: 'diagnostic-addr',
      type: 'strings',
      usage: 'addresses of /health and /metrics alone, without authorization',
    },
    {
      name: 'workers',
      type: 'string',
      usage: 'processes that answer requests: a number, or auto for one per processor',
      default: '1',
    },
    {
      name: 'ready-timeout',
      type: 'int',
      usage: 'seconds to wait for bundles and plugins before requests are accepted; 0: no wait',
    },
    { name: 'shutdown-grace-period', type: 'int', usage: 'seconds that open requests get at the end', default: '10' },
    { name: 'shutdown-wait-period', type: 'int', usage: 'seconds to go on serving after the signal to stop' },
    { name: 'h2c', type: 'bool', usage: 'accept HTTP/2 without TLS' },
    { name: 'unix-socket-perm', type: 'string', usage: 'permissions of Unix sockets, in octal digits', default: '755' },
    noCodegenFlag,
    { name: 'disable-telemetry', type: 'bool', usage: 'send no usage data', ignored: 'nothing is reported to anybody' },
    {
      name: 'skip-version-check',
      type: 'bool',
      usage: 'do not report the version',
      ignored: 'nothing is reported to anybody',
    },
  ),
  ...configurationFlags,
  ...group(
    'Who may ask',
    { name: 'authentication', type: ['token', 'tls', 'off'], usage: 'how clients say who they are', default: 'off' },
    {
      name: 'authorization',
      type: ['basic', 'off'],
      usage: 'basic: the policy system.authz decides about requests',
      default: 'off',
    },
    {
      name: 'skip-known-schema-check',
      type: 'bool',
      usage: 'do not check refs of the authorization policy to its input',
    },
  ),
  ...group(
    'TLS',
    { name: 'tls-cert-file', type: 'string', usage: "PEM file of the server's certificate" },
    { name: 'tls-private-key-file', type: 'string', usage: 'PEM file of its private key' },
    {
      name: 'tls-ca-cert-file',
      type: 'string',
      usage: 'PEM file of the authorities that sign certificates of clients',
    },
    {
      name: 'tls-cert-refresh-period',
      type: 'duration',
      usage: 'how often certificate and key are read again, such as 1h',
    },
    {
      name: 'min-tls-version',
      type: ['1.0', '1.1', '1.2', '1.3'],
      usage: 'oldest version that clients may use',
      default: '1.2',
    },
    { name: 'tls-cipher-suites', type: 'strings', usage: 'cipher suites of TLS 1.0 to 1.2, as Go names them' },
  ),
  ...group(
    'Signatures of bundles',
    ...verificationFlags,
    {
      name: 'signing-alg',
      type: 'string',
      usage: 'algorithm of signatures, as JSON Web Tokens name it',
      default: 'RS256',
    },
    { name: 'scope', type: 'string', usage: 'scope that the signature of a bundle must have' },
    {
      name: 'exclude-files-verify',
      type: 'strings',
      usage: 'files of a bundle that need no signature: names or shell patterns',
    },
    skipVerifyFlag,
  ),
  ...group('Log', ...logFlags('info'), {
    name: 'log-timestamp-format',
    type: 'string',
    usage: "form of times, in Go's notation; OPA_LOG_TIMESTAMP_FORMAT sets it, too",
  }),
  ...group(
    'Looking inside',
    {
      name: 'inspect',
      type: 'string',
      usage: 'local address that serves the inspector of the policies, such as 127.0.0.1:8182',
    },
    {
      name: 'ui',
      type: 'string',
      bare: '127.0.0.1:8183',
      usage: "address of the server's page: its bundles, policies, data, decisions and metrics",
    },
    {
      name: 'debug-attach',
      type: 'string',
      bare: '127.0.0.1:4712',
      usage: 'local address where debuggers attach, to hold requests: host:port or port',
    },
    {
      name: 'pprof',
      type: 'bool',
      usage: "serve Go's profiles",
      refused: 'profiles are those of Node: start node with --inspect',
    },
  ),
  ...group(
    'Prompt',
    { name: 'format', short: 'f', type: ['json', 'pretty'], usage: 'form of results', default: 'pretty' },
    {
      name: 'history',
      short: 'H',
      type: 'string',
      usage: 'file that keeps the lines you type (default ~/.opa_history)',
    },
  ),
];
