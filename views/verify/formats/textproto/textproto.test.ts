import { expect, test } from 'vitest';
import { toJson } from '../../../../values/json/json.js';
import { FileFormatError } from '../format.js';
import { Marks } from '../marks.js';
import { textproto } from './textproto.js';

const schema = `
syntax = "proto3"; // the newer one
package pier.v1;
import "other.proto";
option (note) = { text: "x;y" };
message Crane {
  reserved 9, 12 to 15;
  string name = 1 [deprecated = true];
  repeated int64 loads = 2;
  map<int32, Hook> hooks = 3;
  oneof power { bool diesel = 4; string grid = 5; }
  optional bool idle = 6;
  State state = 7;
  float reach = 8;
  bytes key = 10;
  Part.Bolt bolt = 11;
  uint32 size = 16;
  message Part { message Bolt { double width = 1; } }
}
message Hook { string of = 1; pier.v1.State state = 2; }
enum State { option allow_alias = true; UNKNOWN = 0; UP = 1; DOWN = -1; }
service Cranes { rpc Lift (Crane) returns (Crane) { option (x) = "y"; } }
`;
const older = 'syntax = "proto2";\nmessage Old { required string id = 1; optional int32 n = 2; }\n';

const protoFiles = [
  { path: 'crane.proto', text: schema },
  { path: 'old.proto', text: older },
];

const parsed = (text: string, message = 'pier.v1.Crane', marks?: Marks) =>
  textproto.parse(`# proto-message: ${message}\n${text}`, { path: 'a.textproto', protoFiles }, marks);

test.each([
  ['texts that stand behind each other', 'name: "a\\x62" \'c\\n\' # note\n "\\u00e9"', '{"name":"abc\\né"}'],
  ['numbers of 64 bits as texts', 'loads: -3 loads: 0x10 loads: 010', '{"loads":["-3","16","8"]}'],
  ['lists', 'loads: [1, 2]; loads: 3', '{"loads":["1","2","3"]}'],
  ['maps', 'hooks { key: 2 value { of: "x" } } hooks { value: < state: UP > key: -1 }', '{"hooks":{"-1":{"state":"UP"},"2":{"of":"x"}}}'],
  ['entries of maps without a value', 'hooks { key: 1 }', '{"hooks":{"1":{}}}'],
  ['presence', 'idle: false diesel: false name: "" size: 0 state: UNKNOWN', '{"diesel":false,"idle":false}'],
  ['numbers of enums', 'state: -1', '{"state":"DOWN"}'],
  ['floats of 32 bits', 'reach: 0.1f bolt { width: 1.5e3 }', '{"bolt":{"width":1500},"reach":0.1}'],
  ['what is no number', 'reach: -inf bolt: { width: nan }', '{"bolt":{"width":"NaN"},"reach":"-Infinity"}'],
  ['numbers beyond a double', 'reach: -1e39 bolt { width: 1e999 }', '{"bolt":{"width":"Infinity"},"reach":"-Infinity"}'],
  ['bytes', 'key: "\\001\\xff"', '{"key":"Af8="}'],
])('%s', (_title, text, json) => expect(toJson(parsed(text))).toBe(json));

test.each([
  ['an unknown field', 'name: "a"\nheight: 2', '(line 3:1): unknown field: height'],
  ['a field that stands twice', 'name: "a" name: "b"', 'non-repeated field "name" is repeated'],
  ['two of one', 'diesel: true\ngrid: "a"', '(line 3:1): error parsing "grid", oneof pier.v1.Crane.power is already set'],
  ['a number that does not fit', 'size: -1', 'invalid value for uint32 type: -1'],
  ['an unknown name of an enum', 'state: SIDE', 'invalid value for enum type: SIDE'],
  ['a message that does not end', 'bolt {', 'unexpected EOF'],
  ['a scalar without a colon', 'name "a"', 'missing field separator :'],
])('%s is refused at its place', (_title, text, message) => {
  expect(() => parsed(text)).toThrow(FileFormatError);
  expect(() => parsed(text)).toThrow(message);
});

test('fields may have the names of members of objects', () => {
  const text =
    'syntax = "proto3";\nmessage Odd { map<string, string> constructor = 1; repeated int32 __proto__ = 2; string toString = 3; }\n';
  const context = { path: 'a.textproto', protoFiles: [{ path: 'odd.proto', text }] };
  const message = 'constructor { key: "a" value: "b" } constructor { key: "c" } __proto__: [1, 2] toString: "x"';
  expect(toJson(textproto.parse(`# proto-message: Odd\n${message}`, context, new Marks()))).toBe(
    '{"__proto__":[1,2],"constructor":{"a":"b","c":""},"toString":"x"}',
  );
});

test('fields of the older language have presence, and may be required', () => {
  expect(parsed('id: "a" n: 0', 'Old')).toEqual({ id: 'a', n: 0 });
  expect(() => parsed('n: 1', 'Old')).toThrow('required field Old.id not set');
});

test('the comment names a type that a file declares', () => {
  expect(() => textproto.parse('name: "a"', { path: 'a' })).toThrow('does not contain necessary proto-message comment');
  expect(() => parsed('name: "a"', 'pier.v2.Crane')).toThrow('declares pier.v2.Crane');
});

test('parts have their places', () => {
  const marks = new Marks();
  const text = 'loads: 1\nhooks { key: 2 value { of: "x" } }\n';
  const value = parsed(text, 'pier.v1.Crane', marks);
  const head = '# proto-message: pier.v1.Crane\n'.length;
  const found = (path: readonly (string | number)[]) => {
    const range = marks.find(value, path);
    return range && text.slice(range.start - head, range.end - head);
  };
  expect(found(['loads', 0])).toBe('loads: 1');
  expect(found(['hooks', '2', 'of'])).toBe('of: "x"');
});
