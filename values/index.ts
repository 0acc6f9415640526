/**
 * The door of values: numbers, sets, objects, order, JSON, YAML, and the built-in functions over
 * them. Nothing in it needs Node.
 */

export {
  arg,
  asyncBuiltin,
  type Builtin,
  type BuiltinBody,
  type BuiltinOptions,
  builtin,
  type Operand,
  type OperandReader,
  relation,
} from './builtins/builtin.js';
export type { BuiltinContext, BuiltinMetrics, Cache, Caches } from './builtins/builtin-context.js';
export { BuiltinError, HaltError } from './builtins/builtin-errors.js';
export { CacheSet, LruCache } from './builtins/cache.js';
export { capabilitiesVersion, capabilityOf } from './builtins/capabilities.js';
export { type CostOf, mayCost } from './builtins/cost.js';
export {
  type CapabilityRow,
  declaredBuiltin,
  declaredOnly,
  withDeclared,
  withRows,
} from './builtins/declared-builtins.js';
export { RowTable } from './builtins/families/row-table.js';
export type { Host } from './builtins/host.js';
export { type HashName, type HostCrypto, KeyError, type KeySource } from './builtins/host-crypto.js';
export {
  type ClientCertificate,
  type HostNetwork,
  NetworkError,
  type NetworkRequest,
  type NetworkResponse,
  type TlsOptions,
} from './builtins/host-network.js';
export { randomUuid } from './builtins/lib/formats/random-uuid.js';
export { globTree, isLinearGlob } from './builtins/lib/glob/match.js';
export { GlobError, globFault, parseGlob } from './builtins/lib/glob/parser.js';
export { encodeBase64, encodeBase64Url } from './builtins/lib/go/base64.js';
export { Base64Error, decodeCharacters } from './builtins/lib/go/base64-decoder.js';
export { toEscapedJson } from './builtins/lib/go/escaped-json.js';
export { octetsText } from './builtins/lib/go/octets.js';
export { type Walk, walkOf } from './builtins/lib/graph/walk.js';
export { type AwsCredentials, signedHeaders } from './builtins/lib/http/aws-signature.js';
export { compileSchema } from './builtins/lib/json-schema/compile.js';
export { SchemaError, type SchemaValue } from './builtins/lib/json-schema/schema.js';
export {
  type Algorithm,
  algorithms,
  makeSignature,
  type TokenKey,
  verifySignature,
} from './builtins/lib/jwt/algorithms.js';
export type { CharSet } from './builtins/lib/regex/charset.js';
export { isLinearRegex, loadRegex, regexFault, regexTest } from './builtins/lib/regex/engine.js';
export { parsePlainRegex, type RegexNode } from './builtins/lib/regex/syntax.js';
export { fewParts, shortUnits } from './builtins/lib/strings/text-units.js';
export { format } from './builtins/lib/time/format.js';
export { piecesOfLayout, rfc3339 } from './builtins/lib/time/layout.js';
export { momentAt } from './builtins/lib/time/moment.js';
export { parseRfc3339, rfc3339Text } from './builtins/lib/time/rfc3339.js';
export { utc, type Zone, zoneNamed } from './builtins/lib/time/zones.js';
export { parseUrl } from './builtins/lib/url/url.js';
export { parseCertificate } from './builtins/lib/x509/certificate.js';
export { certificateWithUriStrings } from './builtins/lib/x509/certificate-values.js';
export type { NameAttribute } from './builtins/lib/x509/name.js';
export { nextPem } from './builtins/lib/x509/pem.js';
export { X509Error } from './builtins/lib/x509/x509-error.js';
export { leadingStrings, readersOf, readOperands, unchecked } from './builtins/read-operands.js';
export { builtins, families } from './builtins/registry.js';
export { releaseCapabilities, releases } from './builtins/releases.js';
export { resultName } from './builtins/result-names.js';
export { fetchNetwork } from './builtins/web/fetch-network.js';
export { portableCrypto } from './builtins/web/portable-crypto.js';
export { loadBuiltins } from './builtins/web/registry-on-demand.js';
export { responseBody } from './builtins/web/response-body.js';
export { withWebCrypto } from './builtins/web/web-crypto.js';
export { changesOf, noteChange } from './changes.js';
export {
  compare,
  compareStrings,
  dropKeys,
  keepKeys,
  lookup,
  lookupPath,
  makeObject,
  objectEntries,
  objectGet,
  objectKeys,
  objectSize,
  plainKeys,
  sortedEntries,
  sortedKeys,
  sortedMembers,
  sortStrings,
  valueAt,
} from './compare.js';
export { equal } from './equal.js';
export { type Key, keyOf, keyText } from './hash.js';
export { deepJson, jsonCopy, jsonIfShort } from './json/deep-json.js';
export { exactBytesSteps, exactText, exactValue, exactValueSteps, plainText } from './json/exact-json.js';
export {
  type Json,
  keyName,
  parseJson,
  quote,
  toIndentedJson,
  toJson,
  writeOrderedJson,
} from './json/json.js';
export { jsonComplaint, jsonPlace } from './json/json-complaint.js';
export { JsonError, maxDepth } from './json/json-error.js';
export { fragmentSegment, fragmentSegments, unescapedSegment, valueBehind } from './json/json-pointer.js';
export { type ReadJsonOptions, readJsonSteps } from './json/json-reader.js';
export { writeJsonSteps } from './json/json-writer.js';
export { nativeValues } from './json/native-json.js';
export { plainCopy, toPlain } from './json/plain-form.js';
export { type JsonFault, jsonValue, placeOf } from './json/plain-json.js';
export { isPlainJson, isPlainPart, manyObjects, visits } from './json/quick-check.js';
export { lazy } from './lazy.js';
export {
  checkElements,
  checkHeap,
  checkHeapFor,
  fullHeap,
  heapLimit,
  heapUsed,
  limitHeap,
  SizeError,
} from './memory.js';
export { formatFloat } from './numbers/go-float.js';
export {
  compareNumbers,
  ExactNumber,
  integerOf,
  NumberRangeError,
  type NumberValue,
  numberFromInteger,
  numberFromText,
  numberKey,
  numberText,
  parseNumber,
} from './numbers/number.js';
export { isStackOverflow, rangeComplaint } from './numbers/range-errors.js';
export { addQuickly, multiplyQuickly } from './numbers/wide.js';
export { RegoObject } from './object.js';
export { pathKey, segmentKey } from './path-key.js';
export { areOnOneWay, beginsWith, isSamePath } from './paths.js';
export { isComposite, RegoSet } from './set.js';
export { countWhile } from './sorting/binary-search.js';
export { sortedSteps } from './sorting/sort-steps.js';
export {
  allAtOnce,
  checkedSteps,
  endSlice,
  inSlices,
  nextTurn,
  onSlice,
  onStep,
  runAlone,
  type Steps,
  timedSteps,
  visitSteps,
} from './steps.js';
export { ByteChunks } from './text/byte-chunks.js';
export { codePoints } from './text/code-points.js';
export { countedNoun } from './text/counted-noun.js';
export { displayWidth } from './text/display-width.js';
export { editDistance } from './text/edit-distance.js';
export { htmlSafe } from './text/html-safe.js';
export { internalized } from './text/internalized.js';
export { joinBytes, joinBytesSteps } from './text/join-bytes.js';
export { beginOfText, cutText, shortText } from './text/short-text.js';
export { quotedTerm, termText } from './text/term-text.js';
export { timeText } from './text/time-text.js';
export { decodeUtf8, encodeUtf8, lenientTextOfFile, textOfFile } from './text/utf8.js';
export { utf16AsUtf8, utf16Decoder, utf16Text } from './text/utf16.js';
export { jsonString } from './text/well-formed.js';
export { workflowMessage, workflowProperty } from './text/workflow-command.js';
export { longestTimerMs, timerMs } from './timers.js';
export * as types from './type.js';
export { answering, any, array, boolean, number, object, string, type Type } from './type.js';
export {
  type ArrayValue,
  isArray,
  isNumber,
  isObject,
  isPlainObject,
  isSet,
  isString,
  type ObjectValue,
  objectsInherit,
  type PlainObject,
  presentMembers,
  setOwn,
  type TypeName,
  typeName,
  type Value,
} from './value.js';
export { ValueClass } from './value-class.js';
export { countText, countWork, msPerUnit, unwatched, watchWork } from './work.js';
export { parseJsonOrYaml } from './yaml/json-or-yaml.js';
export { parseYaml } from './yaml/yaml.js';
export { YamlError } from './yaml/yaml-error.js';
export { useYaml } from './yaml/yaml-scalars.js';
