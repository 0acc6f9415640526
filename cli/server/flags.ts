/** The flags of `run`. */

import { skipVerifyFlag, verificationFlags } from '../bundles/signing.js';
import { ignoreFlag, maxErrorsFlag, v0Flag, v1Flag } from '../compile-flags.js';
import type { Flag } from '../flags.js';

const always = 'documents and syntax trees are always kept in the form that is fastest to read';

export const serverFlags: readonly Flag[] = [
  {
    name: 'addr',
    short: 'a',
    type: 'strings',
    usage: 'set listening address of the server (e.g., [ip]:<port> for TCP, unix://<path> for UNIX domain socket)',
    default: '[localhost:8181]',
  },
  { name: 'authentication', type: ['token', 'tls', 'off'], usage: 'set authentication scheme', default: 'off' },
  { name: 'authorization', type: ['basic', 'off'], usage: 'set authorization scheme', default: 'off' },
  { name: 'bundle', short: 'b', type: 'bool', usage: 'load paths as bundle files or root directories' },
  { name: 'config-file', short: 'c', type: 'string', usage: 'set path of configuration file' },
  {
    name: 'diagnostic-addr',
    type: 'strings',
    usage: 'set read-only diagnostic listening address of the server for /health and /metric APIs',
  },
  { name: 'disable-telemetry', type: 'bool', usage: 'disables anonymous information reporting', ignored: 'nothing is reported to anybody' },
  {
    name: 'exclude-files-verify',
    type: 'strings',
    usage: 'set file names to exclude during bundle verification',
  },
  {
    name: 'format',
    short: 'f',
    type: ['json', 'pretty'],
    usage: 'set shell output format',
    default: 'pretty',
  },
  { name: 'h2c', type: 'bool', usage: 'enable H2C for HTTP listeners' },
  { name: 'history', short: 'H', type: 'string', usage: 'set path of history file' },
  ignoreFlag,
  { name: 'log-format', type: ['text', 'json', 'json-pretty'], usage: 'set log format', default: 'json' },
  { name: 'log-level', short: 'l', type: ['debug', 'info', 'error'], usage: 'set log level', default: 'info' },
  {
    name: 'log-timestamp-format',
    type: 'string',
    usage: 'set log timestamp format, a layout of Go (OPA_LOG_TIMESTAMP_FORMAT environment variable)',
  },
  maxErrorsFlag,
  {
    name: 'min-tls-version',
    type: ['1.0', '1.1', '1.2', '1.3'],
    usage: 'set minimum TLS version to be used by the server',
    default: '1.2',
  },
  { name: 'optimize-store-for-read-speed', type: 'bool', usage: 'optimize default in-memory store for read speed', ignored: always },
  { name: 'pprof', type: 'bool', usage: 'enables pprof endpoints', refused: 'profiles are those of Node: start it with --inspect' },
  { name: 'read-ast-values-from-store', type: 'bool', usage: 'read AST values from store', ignored: always },
  {
    name: 'ready-timeout',
    type: 'int',
    usage: 'wait (in seconds) for configured plugins before starting server (value <= 0 disables ready check)',
  },
  { name: 'scope', type: 'string', usage: 'scope to use for bundle signature verification' },
  { name: 'server', short: 's', type: 'bool', usage: 'start the runtime in server mode' },
  {
    name: 'set',
    type: 'string',
    repeated: true,
    usage: 'override config values on the command line (use commas to specify multiple values)',
  },
  {
    name: 'set-file',
    type: 'string',
    repeated: true,
    usage: 'override config values with files on the command line (use commas to specify multiple values)',
  },
  {
    name: 'shutdown-grace-period',
    type: 'int',
    usage: 'set the time (in seconds) that the server will wait to gracefully shut down',
    default: '10',
  },
  {
    name: 'shutdown-wait-period',
    type: 'int',
    usage: 'set the time (in seconds) that the server will wait before initiating shutdown',
  },
  { name: 'signing-alg', type: 'string', usage: 'name of the signing algorithm', default: 'RS256' },
  { name: 'skip-known-schema-check', type: 'bool', usage: 'disables type checking on known input schemas' },
  skipVerifyFlag,
  { name: 'skip-version-check', type: 'bool', usage: 'disables anonymous version reporting', ignored: 'nothing is reported to anybody' },
  { name: 'tls-ca-cert-file', type: 'string', usage: 'set path of TLS CA cert file' },
  { name: 'tls-cert-file', type: 'string', usage: 'set path of TLS certificate file' },
  { name: 'tls-cert-refresh-period', type: 'duration', usage: 'set certificate refresh period' },
  {
    name: 'tls-cipher-suites',
    type: 'strings',
    usage: "set list of enabled TLS 1.0-1.2 cipher suites (in Go's names)",
  },
  { name: 'tls-private-key-file', type: 'string', usage: 'set path of TLS private key file' },
  {
    name: 'unix-socket-perm',
    type: 'string',
    usage: 'specify the permissions for the Unix domain socket if used to listen for incoming connections',
    default: '755',
  },
  v0Flag,
  v1Flag,
  ...verificationFlags,
  { name: 'watch', short: 'w', type: 'bool', usage: 'watch command line files for changes' },
];
