/** Text messages of Protocol Buffers: a comment names their type, which `.proto` files declare. */
import type { Value } from '../../../../values/index.js';
import { FileFormatError, type Format } from '../format.js';
import type { Marks } from '../marks.js';
import { protoTypes } from './proto-types.js';
import { TextMessageReader } from './text-message-reader.js';

export const textproto: Format = {
  parse(text, { protoFiles = [] }, marks?: Marks): Value {
    const name = /^[ \t]*#[ \t]*proto-message:[ \t]*(\S+)/m.exec(text)?.[1];
    if (name === undefined)
      throw new FileFormatError('extract proto message type: file does not contain necessary proto-message comment');
    const types = protoTypes(protoFiles);
    const message = types.get(name);
    if (message?.kind !== 'message')
      throw new FileFormatError(`find message type: proto: not found: no file of --proto-file-dirs declares ${name}`);
    return new TextMessageReader(text, types, marks).read(message);
  },
};
