/** Requests, look-ups of names, and signatures for cloud providers. */

import { any, number, object, set, string } from '../../type.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { constant, counted } from '../cost.js';
import { loadYaml } from '../lib/formats/loaded-yaml.js';
import { lookUpHost } from '../lib/http/look-up.js';
import { send } from '../lib/http/send.js';
import { configOperand, signRequest, timestampOperand } from '../lib/http/sign-request.js';

export const network: readonly Builtin[] = [
  builtin('http.send', [arg('request', object(string, any))], object(any, any), send, {
    nondeterministic: true,
    // It waits, and its request and response are walked as values are.
    cost: counted,
    load: loadYaml,
  }),
  builtin('net.lookup_ip_addr', [arg('name', string)], set(string), lookUpHost, {
    nondeterministic: true,
    cost: constant,
  }),
];

const anyMembers = object(string, any);

export const providers: readonly Builtin[] = [
  builtin(
    'providers.aws.sign_req',
    [
      arg('request', anyMembers),
      arg('aws_config', anyMembers, configOperand),
      arg('time_ns', number, timestampOperand),
    ],
    object(any, any),
    signRequest,
    { cost: counted },
  ),
];
