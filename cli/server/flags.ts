/** The flags of `run`. */

import { skipVerifyFlag, verificationFlags } from '../bundles/signing.js';
import { ignoreFlag, maxErrorsFlag, noCodegenFlag, v0Flag, v1Flag, yamlFlag } from '../compile-flags.js';
import type { Flag } from '../flags.js';

const always = 'documents and syntax trees are always kept in the form that is fastest to read';

export const serverFlags: readonly Flag[] = [
  {
    name: 'addr',
    short: 'a',
    type: 'strings',
    usage: 'addresses to serve at: host:port, :port, an http, https or unix:// URL',
    default: '[localhost:8181]',
  },
  { name: 'authentication', type: ['token', 'tls', 'off'], usage: 'how clients identify themselves', default: 'off' },
  {
    name: 'authorization',
    type: ['basic', 'off'],
    usage: 'who decides about requests: with basic, the policy system.authz',
    default: 'off',
  },
  { name: 'bundle', short: 'b', type: 'bool', usage: 'take each path for a bundle: an archive or a directory' },
  { name: 'config-file', short: 'c', type: 'string', usage: 'configuration file, YAML or JSON' },
  {
    name: 'debug-attach',
    type: 'string',
    bare: '127.0.0.1:4712',
    usage: 'loopback address at which debuggers attach, to hold requests: host:port or port',
  },
  {
    name: 'diagnostic-addr',
    type: 'strings',
    usage: 'addresses that serve /health and /metrics alone, without authorization',
  },
  { name: 'disable-telemetry', type: 'bool', usage: 'send no usage data', ignored: 'nothing is reported to anybody' },
  {
    name: 'exclude-files-verify',
    type: 'strings',
    usage: 'files of a bundle that need no signature: names or shell patterns',
  },
  { name: 'inspect', type: 'string', usage: 'address on this machine that serves the inspector of the policies, as 127.0.0.1:8182' },
  {
    name: 'format',
    short: 'f',
    type: ['json', 'pretty'],
    usage: 'how the prompt prints results',
    default: 'pretty',
  },
  { name: 'h2c', type: 'bool', usage: 'accept HTTP/2 without TLS' },
  { name: 'history', short: 'H', type: 'string', usage: 'file that keeps the lines typed at the prompt' },
  ignoreFlag,
  { name: 'log-format', type: ['text', 'json', 'json-pretty'], usage: 'layout of log lines', default: 'json' },
  { name: 'log-level', short: 'l', type: ['debug', 'info', 'error'], usage: 'lowest level that is logged', default: 'info' },
  {
    name: 'log-timestamp-format',
    type: 'string',
    usage: "layout of times in the log, in Go's notation; OPA_LOG_TIMESTAMP_FORMAT sets it as well",
  },
  maxErrorsFlag,
  noCodegenFlag,
  {
    name: 'min-tls-version',
    type: ['1.0', '1.1', '1.2', '1.3'],
    usage: 'oldest version of TLS that clients may use',
    default: '1.2',
  },
  { name: 'optimize-store-for-read-speed', type: 'bool', usage: 'keep documents in the form that is read fastest', ignored: always },
  { name: 'pprof', type: 'bool', usage: "serve Go's profiles", refused: 'profiles are those of Node: start node with --inspect' },
  { name: 'read-ast-values-from-store', type: 'bool', usage: 'keep documents as terms of the syntax tree', ignored: always },
  {
    name: 'ready-timeout',
    type: 'int',
    usage: 'seconds to wait for plugins before the first request is accepted; 0 does not wait',
  },
  { name: 'scope', type: 'string', usage: "scope that a bundle's signature must have" },
  { name: 'server', short: 's', type: 'bool', usage: 'serve the REST API instead of a prompt' },
  {
    name: 'set',
    type: 'string',
    repeated: true,
    usage: 'settings over the configuration file, as key=value with commas between them',
  },
  {
    name: 'set-file',
    type: 'string',
    repeated: true,
    usage: 'settings whose values are read from files, as key=file with commas between them',
  },
  {
    name: 'shutdown-grace-period',
    type: 'int',
    usage: 'seconds that open requests have to end in when the server stops',
    default: '10',
  },
  {
    name: 'shutdown-wait-period',
    type: 'int',
    usage: 'seconds between the signal to stop and the end of accepting requests',
  },
  { name: 'signing-alg', type: 'string', usage: 'algorithm of signatures, by its JWT name', default: 'RS256' },
  { name: 'skip-known-schema-check', type: 'bool', usage: 'do not check the authorization policy against the form of its input' },
  skipVerifyFlag,
  { name: 'skip-version-check', type: 'bool', usage: 'do not report the version', ignored: 'nothing is reported to anybody' },
  { name: 'tls-ca-cert-file', type: 'string', usage: 'PEM file of the authorities that client certificates are checked with' },
  { name: 'tls-cert-file', type: 'string', usage: "PEM file of the server's certificate" },
  { name: 'tls-cert-refresh-period', type: 'duration', usage: 'interval at which certificate and key are read again' },
  {
    name: 'tls-cipher-suites',
    type: 'strings',
    usage: 'cipher suites of TLS 1.0 to 1.2, by the names that Go gives them',
  },
  { name: 'tls-private-key-file', type: 'string', usage: "PEM file of the certificate's private key" },
  {
    name: 'unix-socket-perm',
    type: 'string',
    usage: 'permissions of Unix sockets, in octal digits',
    default: '755',
  },
  v0Flag,
  v1Flag,
  yamlFlag,
  ...verificationFlags,
  {
    name: 'workers',
    type: 'string',
    usage: 'processes that answer requests: a number, or auto for one for each processor',
    default: '1',
  },
  { name: 'watch', short: 'w', type: 'bool', usage: 'repeat when files of the command line change' },
];
