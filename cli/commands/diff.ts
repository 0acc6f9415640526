import type { Command } from '../command.js';
import { group } from '../flags.js';

/** The exit code of a usage error, too: 1 says that the versions differ. */
const failed = 2;

export const diffCommand: Command = {
  name: 'diff',
  use: '<old> <new>',
  long: `Shows what a change of policies does: which decisions the new version makes otherwise than the old one.

A version is a folder, a bundle, a plan, a policy, or a revision of git with a path: main:policies. With --log, the decisions of a decision log are made again by both versions, at their time and with their recorded answers of built-ins, and the differences grouped by the rules that decided. Without a log, inputs are made of the constants of both versions at the places that they read, which may find a difference and proves nothing. With --prove, a solver (npm install z3-solver) proves that no input is decided otherwise, within a bound, or finds one.

It exits with 0 if both decide alike, with 1 if they differ, with 2 on an error, and with --strict with 3 if that is open.`,
  examples: [
    ['Make logged decisions again with changed policies', 'writ diff HEAD:policies policies --log event.json'],
    ['Write a comment for a pull request', 'writ diff draft.rego policies/authz.rego -l event.json -f markdown'],
    ['Prove that nothing changes', 'writ diff --prove -e authz/allow draft.rego policies/authz.rego'],
  ],
  flags: [
    ...group(
      'Decisions',
      {
        name: 'log',
        short: 'l',
        type: 'string',
        repeated: true,
        usage: 'file or folder of decision logs, - for standard input',
      },
      {
        name: 'entrypoint',
        short: 'e',
        type: 'string',
        repeated: true,
        usage: 'compare only decisions of this path, such as authz/allow',
      },
      { name: 'search', type: 'bool', usage: 'also make inputs that may differ, as without a log' },
      { name: 'tries', type: 'int', usage: 'number of inputs to make for each path', default: '20000' },
      { name: 'seed', type: 'int', usage: 'seed of made inputs', default: '1' },
      {
        name: 'schema',
        short: 's',
        type: 'string',
        usage: 'JSON schema of the input, or a directory of schemas: made inputs follow it, and proofs assume it',
      },
      { name: 'slower', type: 'float', usage: 'report decisions that take this many times longer' },
      {
        name: 'strict',
        type: 'bool',
        usage: 'stop at a line of a log that is no event, and exit with 3 where a decision is open',
      },
    ),
    ...group(
      'Proofs',
      {
        name: 'prove',
        type: 'bool',
        usage: 'prove by a solver that all inputs are decided alike, or find one that is not',
      },
      { name: 'implies', type: 'bool', usage: 'prove that the new version allows nothing that the old one does not' },
      {
        name: 'never',
        type: 'string',
        repeated: true,
        usage: 'prove that an expression never holds in the new version',
      },
      {
        name: 'bound',
        type: 'int',
        usage: 'the most elements of a list that rules iterate over (default 3, or more where rules count further)',
      },
      { name: 'timeout', type: 'duration', usage: 'give up a proof after this time', default: '30s' },
    ),
    ...group(
      'Versions',
      { name: 'data', short: 'd', type: 'string', repeated: true, usage: 'file or folder of data for both versions' },
      {
        name: 'revision-data',
        type: 'string',
        repeated: true,
        usage: 'bundle whose data decides the events of its revision',
      },
      {
        name: 'writes',
        type: 'string',
        usage: 'file of "writ storage export": its data of an event\'s revision decides the event',
      },
      {
        name: 'ignore',
        type: 'strings',
        usage: "leave out files and folders with these names: shell patterns such as '*_test.rego'",
      },
      {
        name: 'capabilities',
        type: 'string',
        usage: 'allow the built-ins and features of a release (v1.0.0), or of a file like capabilities.json',
      },
      { name: 'v0-compatible', type: 'bool', usage: 'read policies as version 0 of Rego' },
      { name: 'old-v0-compatible', type: 'bool', usage: 'read only those of the old version so' },
    ),
    ...group(
      'Output',
      {
        name: 'format',
        short: 'f',
        type: ['pretty', 'json', 'markdown', 'github', 'sarif', 'html'],
        usage: 'form of the report; html is the inspector on both versions',
        default: 'pretty',
      },
      { name: 'output', short: 'o', type: 'string', usage: 'write the report to this file' },
    ),
  ],
  usageExit: failed,
  async run(args, io) {
    const { showChange } = await import('../change/show-change.js');
    return await showChange(args, io);
  },
};
