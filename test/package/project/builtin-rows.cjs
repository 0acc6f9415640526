// Rows of fixtures/builtins, evaluated by the installed library.

/** Rows whose results differ in the engine: it has a parser, and the commit of its build. */
const elsewhere = new Set(['rego.parse_module: without a parser', 'opa.runtime: the document of the engine']);

/** A bundle with a plan for each built-in and number of operands; the operands are the input. */
function builtinPlan(rows) {
  const calls = new Map(rows.map((row) => [planName(row), row]));
  const plans = [...calls].map(([name, { builtin, operands }]) => ({
    name,
    blocks: [{ stmts: callStatements(builtin, operands.length) }],
  }));
  const names = new Set(rows.map(({ builtin }) => builtin));
  const functions = [...names].map((name) => ({ name, decl: { type: 'function', args: [], result: { type: 'any' } } }));
  const statics = { strings: [{ value: 'result' }], builtin_funcs: functions, files: [{ value: 'rows' }] };
  return { static: statics, plans: { plans }, funcs: { funcs: [] } };
}

function planName({ builtin, operands }) {
  return `${builtin}/${operands.length}`;
}

function callStatements(builtin, length) {
  const place = { file: 0, row: 1, col: 1, end_row: 1, end_col: 1 };
  const statement = (type, stmt) => ({ type, stmt: { ...stmt, ...place } });
  const local = (value) => ({ type: 'local', value });
  const statements = [];
  const operands = [];
  for (let i = 0; i < length; i++) {
    // Locals 0 and 1 are the input and the data.
    const [index, operand] = [2 + 2 * i, 3 + 2 * i];
    statements.push(statement('MakeNumberIntStmt', { value: i, target: index }));
    statements.push(statement('DotStmt', { source: local(0), key: local(index), target: operand }));
    operands.push(local(operand));
  }
  const [result, object] = [2 + 2 * length, 3 + 2 * length];
  statements.push(statement('CallStmt', { func: builtin, args: operands, result }));
  statements.push(statement('MakeObjectStmt', { target: object }));
  statements.push(statement('ObjectInsertStmt', { key: { type: 'string_index', value: 0 }, value: local(result), object }));
  statements.push(statement('ResultSetAddStmt', { value: object }));
  return statements;
}

/** The difference between a result and the row, as a sentence; undefined if there is none. */
async function checkRow(writ, engine, row) {
  if (elsewhere.has(`${row.builtin}: ${row.note}`)) return undefined;
  const options = { timeNs: 1_700_000_000_123_456_789n, random: () => 0.5, strictBuiltinErrors: true };
  let answer;
  try {
    const results = await engine.resultSet(
      planName(row),
      row.operands.map((operand) => fromFixture(writ, operand)),
      options,
    );
    answer = results[0]?.result;
  } catch (error) {
    if (!(error instanceof writ.EvaluationError)) return `throws ${error.stack}`;
    const message = `${error.code}: ${error.detail}`;
    if (row.error === undefined) return `fails: ${message}`;
    // Errors that end any evaluation do not name the built-in.
    const wanted = [row.error, row.error.replace(`${row.builtin}: `, '')];
    return wanted.some((text) => message.includes(text)) ? undefined : `fails with ${message} instead of ${row.error}`;
  }
  const found = answer === undefined ? 'undefined' : writ.toJson(answer);
  if (row.error !== undefined) return `answers ${found} instead of failing with ${row.error}`;
  if (row.undefined === true) return answer === undefined ? undefined : `answers ${found}`;
  const wanted = fromFixture(writ, row.result);
  // A set of both values has one member if they are equal in Rego. Bytes that are not valid UTF-8
  // are compared by their JSON.
  const isSame =
    answer !== undefined &&
    (new writ.RegoSet([answer, wanted]).size === 1 || (typeof answer === 'string' && found === writ.toJson(wanted)));
  return isSame ? undefined : `answers ${found} instead of ${writ.toJson(wanted)}`;
}

/**
 * The value of fixture JSON: `{"$set": […]}` and `{"$object": [[key, value], …]}` represent values
 * that JSON lacks.
 */
function fromFixture(writ, json) {
  const from = (value) => fromFixture(writ, value);
  if (Array.isArray(json)) return json.map(from);
  if (json === null || typeof json !== 'object' || json instanceof writ.ExactNumber || json instanceof writ.RegoObject) return json;
  if (Array.isArray(json.$set)) return new writ.RegoSet(json.$set.map(from));
  if (Array.isArray(json.$object)) return new writ.RegoObject(json.$object.map(([key, value]) => [from(key), from(value)]));
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, from(value)]));
}

module.exports = { builtinPlan, checkRow };
