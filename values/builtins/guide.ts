/**
 * Sentences and examples of built-ins: editors show them, and pages of documentation are made of
 * them and of the rows. `input.x` in an example is the operand `x` of the built-in's first fixture
 * that has a result.
 */
export interface BuiltinGuide {
  readonly does: string;
  /** An expression; for a built-in that only rules may call, a policy whose rule is `p`. */
  readonly example: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly about?: string;
  readonly builtins: Readonly<Record<string, BuiltinGuide>>;
}

function rows(table: Readonly<Record<string, readonly [does: string, example: string]>>): GuideGroup['builtins'] {
  return Object.fromEntries(Object.entries(table).map(([name, [does, example]]) => [name, { does, example }]));
}

/** Built-ins that version 1 of the language rejects, with their substitutes. */
export const formerBuiltins: Readonly<Record<string, string>> = {
  all: '`every x in xs { x }`',
  any: '`true in xs`',
  cast_array: 'a comprehension, `[x | some x in xs]`',
  cast_boolean: '`is_boolean`',
  cast_null: '`is_null`',
  cast_object: '`is_object`',
  cast_set: 'a comprehension, `{x | some x in xs}`',
  cast_string: '`is_string`',
  'net.cidr_overlap': '`net.cidr_contains`',
  re_match: '`regex.match`',
  set_diff: 'the operator `-`',
};

// biome-ignore format: tables
export const guide: readonly GuideGroup[] = [
  {
    title: 'Comparison',
    about: 'Values of all types have an order: null, booleans, numbers, strings, arrays, objects, sets.',
    builtins: rows({
      equal: ['Tells whether two values are equal. Numbers are equal by value: `1 == 1.0`.', '[1, "a"] == [1, "a"]'],
      neq: ['Tells whether two values differ.', '1 != "1"'],
      lt: ['Tells whether the left value comes before the right one.', '1 < 2'],
      lte: ['Tells whether the left value comes before the right one, or equals it.', '"a" <= "a"'],
      gt: ['Tells whether the left value comes after the right one.', '[1, 2] > [1, 1]'],
      gte: ['Tells whether the left value comes after the right one, or equals it.', '2 >= 3'],
      assign: ['Gives a value to a new variable.', '[x | x := 7]'],
      eq: ['Makes both sides equal: gives values to variables that have none, and compares the rest.', '[x | [x, 2] = [1, 2]]'],
    }),
  },
  {
    title: 'Numbers',
    about: 'Numbers are exact, however long they are.',
    builtins: rows({
      plus: ['Adds two numbers.', '0.1 + 0.2'],
      minus: ['Subtracts a number, or takes the elements of one set out of another.', '{1, 2, 3} - {2}'],
      mul: ['Multiplies two numbers.', '6 * 7'],
      div: ['Divides two numbers. A division by zero fails.', '7 / 2'],
      rem: ['The rest of a division of whole numbers, with the sign of the left one.', '7 % 3'],
      abs: ['The number without its sign.', 'abs(-3.5)'],
      ceil: ['The next whole number that is not smaller.', 'ceil(1.2)'],
      floor: ['The next whole number that is not greater.', 'floor(1.8)'],
      round: ['The nearest whole number. Halves go away from zero.', 'round(2.5)'],
      'numbers.range': ['The whole numbers from one to another, both included, up or down.', 'numbers.range(3, 1)'],
      'numbers.range_step': ['The same, with steps of a given size.', 'numbers.range_step(0, 10, 5)'],
      'rand.intn': ['A random whole number from 0 up to, but not including, `n`. The same `str` gives the same number within a decision.', 'rand.intn("die", 6) < 6'],
      format_int: ['The digits of a whole number in base 2, 8, 10 or 16. Fractions are cut off.', 'format_int(255, 16)'],
    }),
  },
  {
    title: 'Bits',
    about: 'Operands are whole numbers of any length.',
    builtins: rows({
      'bits.and': ['The bits that both numbers have.', 'bits.and(6, 3)'],
      'bits.or': ['The bits that one of the numbers has.', 'bits.or(6, 3)'],
      'bits.xor': ['The bits that exactly one of the numbers has.', 'bits.xor(6, 3)'],
      'bits.negate': ['All bits the other way round.', 'bits.negate(5)'],
      'bits.lsh': ['Moves the bits to the left.', 'bits.lsh(1, 4)'],
      'bits.rsh': ['Moves the bits to the right.', 'bits.rsh(16, 2)'],
    }),
  },
  {
    title: 'Collections',
    builtins: rows({
      count: ['The number of elements, keys, or characters of a string.', 'count(["a", "b"])'],
      sum: ['The sum of an array or a set of numbers.', 'sum([1, 2, 3.5])'],
      product: ['The product of an array or a set of numbers.', 'product([2, 3, 4])'],
      max: ['The greatest element. Undefined for an empty collection.', 'max([3, 7, 5])'],
      min: ['The smallest element. Undefined for an empty collection.', 'min({"b", "a"})'],
      sort: ['The elements of an array or a set in their order, as an array.', 'sort([3, 1, 2])'],
      'internal.member_2': ['Tells whether a value is an element of an array or a set, or a value of an object.', '"a" in ["a", "b"]'],
      'internal.member_3': ['Tells whether a collection has a value at a key or an index.', '0, "a" in ["a", "b"]'],
    }),
  },
  {
    title: 'Arrays',
    builtins: rows({
      'array.concat': ['The elements of one array, then those of another.', 'array.concat([1, 2], [3])'],
      'array.flatten': ['Replaces each array inside an array by its elements, one level deep.', 'array.flatten([1, [2, [3]]])'],
      'array.reverse': ['The elements from last to first.', 'array.reverse([1, 2, 3])'],
      'array.slice': ['The elements from `start` up to, but not including, `stop`. Indexes beyond the ends are cut.', 'array.slice([1, 2, 3, 4], 1, 3)'],
    }),
  },
  {
    title: 'Sets',
    about: 'JSON has no sets: results show them as arrays, in order. For the difference of sets see `-`.',
    builtins: rows({
      and: ['The elements that both sets have.', '{1, 2} & {2, 3}'],
      or: ['The elements of both sets.', '{1, 2} | {2, 3}'],
      intersection: ['The elements that all sets of a set have.', 'intersection({{1, 2}, {2, 3}})'],
      union: ['The elements of all sets of a set.', 'union({{1}, {2}, {3}})'],
    }),
  },
  {
    title: 'Objects',
    builtins: rows({
      'object.get': ['The value at a key or at a path (an array of keys), or the default.', 'object.get({"a": {"b": 1}}, ["a", "c"], "none")'],
      'object.keys': ['The set of the keys.', 'object.keys({"b": 1, "a": 2})'],
      'object.remove': ['The object without some keys, from an array, a set or the keys of an object.', 'object.remove({"a": 1, "b": 2}, ["a"])'],
      'object.filter': ['The object with only some keys, from an array, a set or the keys of an object.', 'object.filter({"a": 1, "b": 2}, ["a"])'],
      'object.union': ['Merges two objects, also inside each other. The second one wins.', 'object.union({"a": {"x": 1}}, {"a": {"y": 2}})'],
      'object.union_n': ['Merges all objects of an array. Later ones win.', 'object.union_n([{"a": 1}, {"b": 2}, {"a": 3}])'],
      'object.subset': ['Tells whether the first value contains the second: objects by keys and values, sets by elements, arrays by a part in one piece.', 'object.subset({"a": 1, "b": {"c": 2}}, {"b": {"c": 2}})'],
    }),
  },
  {
    title: 'Strings',
    about: 'Positions count characters from 0.',
    builtins: rows({
      concat: ['Joins the strings of an array or a set, with a delimiter between them.', 'concat(", ", ["pen", "ink"])'],
      contains: ['Tells whether a string is a part of another.', 'contains("haystack", "hay")'],
      startswith: ['Tells whether a string begins with another.', 'startswith("/public/logo", "/public/")'],
      endswith: ['Tells whether a string ends with another.', 'endswith("photo.jpg", ".jpg")'],
      indexof: ['The position where a string first contains another, or -1.', 'indexof("banana", "an")'],
      indexof_n: ['All positions where a string contains another.', 'indexof_n("banana", "an")'],
      lower: ['The string in lower case.', 'lower("Hello")'],
      upper: ['The string in upper case.', 'upper("Hello")'],
      replace: ['Replaces each occurrence of a string.', 'replace("a-b-c", "-", ".")'],
      split: ['The parts of a string between delimiters.', 'split("a.b.c", ".")'],
      sprintf: ['Puts values into a format: `%s` a string, `%d` a whole number, `%v` any value. A template string does the same: `$"{x}"`.', 'sprintf("%s is %d", ["Ann", 30])'],
      substring: ['The part from an offset on, with a length. A negative length takes all that follows.', 'substring("policy", 1, 3)'],
      trim: ['Takes characters of a set off both ends.', 'trim("..a.b..", ".")'],
      trim_left: ['Takes characters of a set off the start.', 'trim_left("xyxa", "xy")'],
      trim_right: ['Takes characters of a set off the end.', 'trim_right("axyx", "xy")'],
      trim_prefix: ['Takes a prefix off, if the string begins with it.', 'trim_prefix("user:ann", "user:")'],
      trim_suffix: ['Takes a suffix off, if the string ends with it.', 'trim_suffix("photo.jpg", ".jpg")'],
      trim_space: ['Takes white space off both ends.', 'trim_space("  a b ")'],
      'strings.any_prefix_match': ['Tells whether one of the strings begins with one of the prefixes.', 'strings.any_prefix_match("/api/users", ["/public/", "/api/"])'],
      'strings.any_suffix_match': ['Tells whether one of the strings ends with one of the suffixes.', 'strings.any_suffix_match(["a.png", "b.exe"], ".exe")'],
      'strings.count': ['How often a string contains another, without overlaps.', 'strings.count("banana", "an")'],
      'strings.replace_n': ['Replaces each key of an object by its value.', 'strings.replace_n({"<": "(", ">": ")"}, "<b>")'],
      'strings.reverse': ['The characters from last to first.', 'strings.reverse("abc")'],
      'strings.split_n': ['The first `n` parts between delimiters, or the last ones for a negative `n`.', 'strings.split_n("a.b.c", ".", 2)'],
      'strings.render_template': ['Fills a template of Go with variables.', 'strings.render_template("Hello {{.name}}", {"name": "Ann"})'],
    }),
  },
  {
    title: 'Regular expressions',
    about: 'Expressions have the syntax of RE2: their time grows with the length of the string only. Raw strings in backticks need no double backslashes.',
    builtins: rows({
      'regex.match': ['Tells whether an expression matches a part of a string. `^` and `$` match the ends.', 'regex.match(`^\\d+$`, "2025")'],
      'regex.is_valid': ['Tells whether a string is a regular expression.', 'regex.is_valid("a(b")'],
      'regex.split': ['The parts of a string between matches.', 'regex.split(`\\s*,\\s*`, "a , b,c")'],
      'regex.find_n': ['The first `number` matches, or all with -1.', 'regex.find_n("a.", "ab ac ad", 2)'],
      'regex.find_all_string_submatch_n': ['The first `number` matches, or all with -1, each with its groups.', 'regex.find_all_string_submatch_n(`(\\w)=(\\d)`, "a=1 b=2", -1)'],
      'regex.replace': ['Replaces each match. `$1` is the first group.', 'regex.replace("a=1 b=2", `(\\w)=(\\d)`, "$2:$1")'],
      'regex.template_match': ['Matches a string in which only the parts between delimiters are regular expressions.', 'regex.template_match("urn:user:{[0-9]+}", "urn:user:42", "{", "}")'],
      'regex.globs_match': ['Tells whether some string matches both expressions. They may have `.`, `*`, `+`, `[…]` and `\\`.', 'regex.globs_match("a.*", "ab+")'],
    }),
  },
  {
    title: 'Globs',
    about: '`*` matches without delimiters, `**` across them, `?` one character, `[ab]` one of some, `{a,b}` an alternative.',
    builtins: rows({
      'glob.match': ['Tells whether a pattern matches the whole string. Delimiters are `["."]` for an empty array, and none for null.', 'glob.match("*.example.com", ["."], "www.example.com")'],
      'glob.quote_meta': ['Escapes the signs of patterns.', 'glob.quote_meta("*.com")'],
    }),
  },
  {
    title: 'Types and conversion',
    builtins: rows({
      is_array: ['Tells whether a value is an array.', 'is_array([1])'],
      is_boolean: ['Tells whether a value is `true` or `false`.', 'is_boolean("true")'],
      is_null: ['Tells whether a value is null.', 'is_null(null)'],
      is_number: ['Tells whether a value is a number.', 'is_number("1")'],
      is_object: ['Tells whether a value is an object.', 'is_object({"a": 1})'],
      is_set: ['Tells whether a value is a set.', 'is_set([1])'],
      is_string: ['Tells whether a value is a string.', 'is_string("a")'],
      type_name: ['The name of the type of a value.', 'type_name({1, 2})'],
      to_number: ['The number in a string. Of `true` it is 1, of `false` and null 0.', 'to_number("1.5")'],
    }),
  },
  {
    title: 'Encodings',
    builtins: rows({
      'base64.encode': ['The base64 of a string.', 'base64.encode("writ?")'],
      'base64.decode': ['The string that base64 stands for.', 'base64.decode("d3JpdD8=")'],
      'base64.is_valid': ['Tells whether a string is base64.', 'base64.is_valid("d3JpdD8")'],
      'base64url.encode': ['Base64 with signs that URLs allow.', 'base64url.encode("a?b>")'],
      'base64url.encode_no_pad': ['The same without `=` at the end.', 'base64url.encode_no_pad("a?")'],
      'base64url.decode': ['The string that such base64 stands for, with or without `=`.', 'base64url.decode("YT8")'],
      'hex.encode': ['The bytes of a string in hexadecimal.', 'hex.encode("abc")'],
      'hex.decode': ['The string whose bytes are given in hexadecimal.', 'hex.decode("616263")'],
      'urlquery.encode': ['Escapes a string for the query of a URL.', 'urlquery.encode("a b&c")'],
      'urlquery.decode': ['Reads such an escaped string.', 'urlquery.decode("a+b%26c")'],
      'urlquery.encode_object': ['Writes an object as the query of a URL.', 'urlquery.encode_object({"q": "a b", "tag": ["x", "y"]})'],
      'urlquery.decode_object': ['Reads the query of a URL. Each name has an array of its values.', 'urlquery.decode_object("q=a+b&tag=x&tag=y")'],
      'json.marshal': ['Writes a value as JSON.', 'json.marshal({"a": [1, true]})'],
      'json.marshal_with_options': ['The same, with `pretty`, `indent` and `prefix`.', 'json.marshal_with_options({"a": 1}, {"pretty": true, "indent": "  "})'],
      'json.unmarshal': ['Reads JSON.', 'json.unmarshal("[1, {\\"a\\": null}]")'],
      'json.is_valid': ['Tells whether a string is JSON.', 'json.is_valid("{a: 1}")'],
      'yaml.marshal': ['Writes a value as YAML.', 'yaml.marshal({"a": [1, "x"]})'],
      'yaml.unmarshal': ['Reads YAML.', 'yaml.unmarshal("a: [1, x]")'],
      'yaml.is_valid': ['Tells whether a string is YAML.', 'yaml.is_valid("a: [1")'],
    }),
  },
  {
    title: 'JSON documents',
    about: 'A path is a string with slashes, `"a/b"`, or an array of keys.',
    builtins: rows({
      'json.filter': ['The document with only what is below some paths.', 'json.filter({"a": {"b": 1, "c": 2}, "d": 3}, ["a/b"])'],
      'json.remove': ['The document without what is below some paths.', 'json.remove({"a": {"b": 1, "c": 2}, "d": 3}, ["a/b"])'],
      'json.patch': ['Applies a JSON Patch (RFC 6902): `add`, `remove`, `replace`, `move`, `copy`, `test`.', 'json.patch({"a": 1}, [{"op": "add", "path": "/b", "value": 2}])'],
      'json.match_schema': ['Tells whether a document fits a JSON Schema, and lists what does not fit.', 'json.match_schema({"id": 5}, {"properties": {"id": {"type": "integer"}}})'],
      'json.verify_schema': ['Tells whether a document is a JSON Schema, with the error if not.', 'json.verify_schema({"type": "object"})'],
    }),
  },
  {
    title: 'Times',
    about: 'A time is a number of nanoseconds since 1970 in UTC. Where a time is an operand, `[ns, "Europe/Berlin"]` names a zone. Layouts have the form of Go: they show the time 2 January 2006, 15:04:05.',
    builtins: rows({
      'time.now_ns': ['The time of the decision. It is the same in the whole decision.', 'time.now_ns() > time.parse_rfc3339_ns("2025-01-01T00:00:00Z")'],
      'time.parse_rfc3339_ns': ['Reads a time of RFC 3339.', 'time.parse_rfc3339_ns("2025-01-01T00:00:00Z")'],
      'time.parse_ns': ['Reads a time by a layout, or by the name of one, such as `RFC1123`.', 'time.parse_ns("2006-01-02", "2025-01-31")'],
      'time.parse_duration_ns': ['Reads a duration with the units `ns`, `us`, `ms`, `s`, `m` and `h`.', 'time.parse_duration_ns("1h30m")'],
      'time.format': ['Writes a time, in RFC 3339 or as the third element of the operand says.', 'time.format([1735689600000000000, "UTC", "2 January 2006"])'],
      'time.date': ['Year, month and day.', 'time.date(1735689600000000000)'],
      'time.clock': ['Hour, minute and second.', 'time.clock([1735689600000000000, "Europe/Berlin"])'],
      'time.weekday': ['The day of the week.', 'time.weekday(1735689600000000000)'],
      'time.add_date': ['A time some years, months and days later.', 'time.format(time.add_date(1735689600000000000, 0, 1, 10))'],
      'time.diff': ['Years, months, days, hours, minutes and seconds between two times.', 'time.diff(1735689600000000000, 1738540800000000000)'],
    }),
  },
  {
    title: 'Units, versions and identifiers',
    builtins: rows({
      'units.parse': ['The number that a string with a decimal or binary unit stands for.', 'units.parse("10Ki")'],
      'units.parse_bytes': ['The number of bytes that a string stands for.', 'units.parse_bytes("1.5MB")'],
      'semver.compare': ['Compares two semantic versions: -1, 0 or 1.', 'semver.compare("1.10.0", "1.9.3")'],
      'semver.is_valid': ['Tells whether a string is a semantic version.', 'semver.is_valid("1.0")'],
      'uuid.parse': ['The parts of a UUID.', 'uuid.parse("6ba7b810-9dad-41d1-80b4-00c04fd430c8")'],
      'uuid.rfc4122': ['A new random UUID. The same operand gives the same UUID within a decision.', 'count(uuid.rfc4122("order"))'],
    }),
  },
  {
    title: 'Addresses',
    builtins: rows({
      'uri.parse': ['The parts of a URI.', 'uri.parse("https://example.com:8443/a?b=c#d")'],
      'uri.is_valid': ['Tells whether a string is a URI.', 'uri.is_valid("https://example.com")'],
      'net.cidr_contains': ['Tells whether a network contains an address or another network.', 'net.cidr_contains("10.0.0.0/8", "10.1.2.3")'],
      'net.cidr_contains_matches': ['The pairs of indexes where a network of the first collection contains an address of the second.', 'net.cidr_contains_matches(["10.0.0.0/8", "192.168.0.0/16"], ["192.168.1.1"])'],
      'net.cidr_expand': ['All addresses of a network.', 'net.cidr_expand("10.0.0.0/30")'],
      'net.cidr_intersects': ['Tells whether two networks have addresses in common.', 'net.cidr_intersects("10.0.0.0/8", "10.1.0.0/16")'],
      'net.cidr_is_valid': ['Tells whether a string is a network in CIDR notation.', 'net.cidr_is_valid("10.0.0.0/33")'],
      'net.cidr_merge': ['The smallest set of networks for the same addresses.', 'net.cidr_merge(["10.0.0.0/25", "10.0.0.128/25"])'],
      'net.lookup_ip_addr': ['The addresses of a host name, from DNS.', 'net.lookup_ip_addr("127.0.0.1")'],
    }),
  },
  {
    title: 'Graphs',
    about: 'A graph is an object: each node has an array or a set of the nodes that it leads to.',
    builtins: rows({
      'graph.reachable': ['The nodes that can be reached from some nodes, these included.', 'graph.reachable({"a": ["b"], "b": ["c"], "c": [], "d": []}, ["a"])'],
      'graph.reachable_paths': ['The paths from some nodes to where they end.', 'graph.reachable_paths({"a": ["b", "c"], "b": [], "c": []}, ["a"])'],
      walk: ['Is true of each pair of a path and a value in a document.', '[path | walk({"a": {"secret": 1}}, [path, _]); path[count(path) - 1] == "secret"]'],
    }),
  },
  {
    title: 'Web tokens',
    about: 'Keys are certificates or public keys in PEM, or a set of keys in JSON (JWKS). `input.jwt` in the examples is a token that the key beside it verifies.',
    builtins: rows({
      'io.jwt.decode': ['Header, payload and signature of a token, without verifying it.', 'io.jwt.decode(input.jwt)[0]'],
      'io.jwt.decode_verify': ['Verifies a token: the signature, `iss`, `aud`, `exp` and `nbf` as constraints say. Returns whether it holds, its header and its payload.', 'io.jwt.decode_verify(input.jwt, input.constraints)'],
      'io.jwt.encode_sign': ['Makes a signed token from objects.', 'io.jwt.encode_sign({"alg": "HS256"}, {"sub": "ann"}, {"kty": "oct", "k": "c2VjcmV0"})'],
      'io.jwt.encode_sign_raw': ['Makes a signed token from texts of JSON, which stay as they are.', 'io.jwt.encode_sign_raw(`{"alg":"HS256"}`, `{"sub":"ann"}`, `{"kty":"oct","k":"c2VjcmV0"}`)'],
      ...Object.fromEntries(['rs256', 'rs384', 'rs512', 'ps256', 'ps384', 'ps512', 'es256', 'es384', 'es512', 'eddsa'].map((name) => [
        `io.jwt.verify_${name}`, [`Tells whether the ${name === 'eddsa' ? 'EdDSA' : name.toUpperCase()} signature of a token holds.`, `io.jwt.verify_${name}(input.jwt, input.certificate)`] as const,
      ])),
      ...Object.fromEntries(['hs256', 'hs384', 'hs512'].map((name) => [
        `io.jwt.verify_${name}`, [`Tells whether the ${name.toUpperCase()} signature of a token holds.`, `io.jwt.verify_${name}(input.jwt, input.secret)`] as const,
      ])),
    }),
  },
  {
    title: 'Cryptography',
    about: 'Certificates and keys in the examples are texts in PEM.',
    builtins: rows({
      'crypto.md5': ['The MD5 hash in hexadecimal. An attacker can forge it.', 'crypto.md5("writ")'],
      'crypto.sha1': ['The SHA-1 hash in hexadecimal. An attacker can forge it.', 'crypto.sha1("writ")'],
      'crypto.sha256': ['The SHA-256 hash in hexadecimal.', 'crypto.sha256("writ")'],
      'crypto.hmac.md5': ['The HMAC-MD5 code in hexadecimal.', 'crypto.hmac.md5("message", "key")'],
      'crypto.hmac.sha1': ['The HMAC-SHA-1 code in hexadecimal.', 'crypto.hmac.sha1("message", "key")'],
      'crypto.hmac.sha256': ['The HMAC-SHA-256 code in hexadecimal.', 'crypto.hmac.sha256("message", "key")'],
      'crypto.hmac.sha512': ['The HMAC-SHA-512 code in hexadecimal.', 'count(crypto.hmac.sha512("message", "key"))'],
      'crypto.hmac.equal': ['Tells whether two codes are equal. Its time does not tell where they differ.', 'crypto.hmac.equal("d00d", "d00d")'],
      'crypto.parse_private_keys': ['The private keys in a text.', '[object.keys(key) | some key in crypto.parse_private_keys(input.keys)]'],
      'crypto.x509.parse_certificates': ['The certificates in a text, with their fields.', 'crypto.x509.parse_certificates(input.certs)[0].Subject.CommonName'],
      'crypto.x509.parse_and_verify_certificates': ['Tells whether a chain of certificates holds, from the root to the leaf, and returns it from the leaf on.', 'crypto.x509.parse_and_verify_certificates(input.certs)[0]'],
      'crypto.x509.parse_and_verify_certificates_with_options': ['The same for a host (`DNSName`), a time (`CurrentTime`) or usages of the key (`KeyUsages`).', 'crypto.x509.parse_and_verify_certificates_with_options(input.certs, {"CurrentTime": 1735689600000000000})[0]'],
      'crypto.x509.parse_certificate_request': ['The fields of a request for a certificate.', 'crypto.x509.parse_certificate_request(input.csr).Subject.CommonName'],
      'crypto.x509.parse_keypair': ['A certificate with its private key.', 'object.keys(crypto.x509.parse_keypair(input.cert, input.pem))'],
      'crypto.x509.parse_rsa_private_key': ['An RSA key as a JSON Web Key.', 'crypto.x509.parse_rsa_private_key(input.pem).kty'],
    }),
  },
  {
    title: 'HTTP',
    about: 'A decision waits for the answer. Tests replace the call: `with http.send as {…}`.',
    builtins: rows({
      'http.send': ['Sends a request, and returns the response: `status_code`, `headers`, `body`, `raw_body`. `method` and `url` are required.', 'http.send({"method": "GET", "url": "https://example.com"}).status_code with http.send as {"status_code": 200}'],
      'providers.aws.sign_req': ['Signs a request for AWS, version 4. Returns it with the headers of the signature.', 'object.keys(providers.aws.sign_req({"method": "GET", "url": "https://b.example/"}, {"aws_access_key": "key", "aws_secret_access_key": "secret", "aws_service": "s3", "aws_region": "eu-west-3"}, 0).headers)'],
    }),
  },
  {
    title: 'GraphQL',
    builtins: rows({
      'graphql.parse': ['The syntax trees of a query and of a schema that it fits.', 'graphql.parse("{ name }", "type Query { name: String }")[0].Operations[0].SelectionSet[0].Name'],
      'graphql.parse_and_verify': ['Tells whether a query fits a schema, and returns both trees.', 'graphql.parse_and_verify("{ nam }", "type Query { name: String }")[0]'],
      'graphql.parse_query': ['The syntax tree of a query.', 'graphql.parse_query("{ name }").Operations[0].Operation'],
      'graphql.parse_schema': ['The syntax tree of a schema.', 'graphql.parse_schema("enum Color { RED BLUE }").Definitions[0].Name'],
      'graphql.is_valid': ['Tells whether a query fits a schema.', 'graphql.is_valid("{ name }", "type Query { name: String }")'],
      'graphql.schema_is_valid': ['Tells whether a schema is valid.', 'graphql.schema_is_valid("type Query { name: Text }")'],
    }),
  },
  {
    title: 'Policies and their runtime',
    builtins: rows({
      'rego.metadata.rule': ['The annotations of the rule that calls it.', '# METADATA\n# title: Owners may write\np := rego.metadata.rule().title'],
      'rego.metadata.chain': ['The annotations from the rule up to its package, each with its path.', '# METADATA\n# title: Owners may write\np := [each.path | some each in rego.metadata.chain()]'],
      'rego.parse_module': ['The syntax tree of a policy.', 'rego.parse_module("a.rego", "package a").package.path[1].value'],
      'opa.runtime': ['What the engine tells about itself: configuration, environment, version.', 'is_object(opa.runtime())'],
    }),
  },
  {
    title: 'Looking into a policy',
    builtins: rows({
      print: ['Prints values to standard error, or to the test report. It is always true.', 'print("the total is", 1 + 2)'],
      trace: ['Adds a note, which `--explain notes` shows. It is always true.', 'trace("here")'],
    }),
  },
];
