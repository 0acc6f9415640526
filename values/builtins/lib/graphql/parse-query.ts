/** Text of a query → its syntax tree. */
import type {
  CommentGroup,
  FragmentDefinition,
  GraphqlDirective,
  GraphqlField,
  OperationDefinition,
  QueryDocument,
  Selection,
  VariableDefinition,
} from './ast.js';
import { GraphqlParser, type ParseLimits } from './parser.js';

/** The tree of a document of operations and fragments. Throws a GraphqlError. */
export function parseGraphqlQuery(text: string, limits: ParseLimits): QueryDocument {
  const parser = new GraphqlParser(text, limits);
  const document: QueryDocument = { Operations: [], Fragments: [] };
  for (let token = parser.peek(); token.kind !== '<EOF>'; token = parser.peek()) {
    const word = token.kind === 'Name' ? token.value : '';
    if (token.kind === '{' || word === 'query' || word === 'mutation' || word === 'subscription')
      document.Operations.push(operation(parser));
    else if (word === 'fragment') document.Fragments.push(fragment(parser));
    else parser.unexpected();
  }
  return document;
}

function operation(parser: GraphqlParser): OperationDefinition {
  const Position = parser.position();
  let Comment: CommentGroup | null = null;
  let [Operation, Name] = ['query', ''];
  let VariableDefinitions: readonly VariableDefinition[] = [];
  let Directives: readonly GraphqlDirective[] = [];
  if (parser.peek().kind !== '{') {
    Comment = parser.comment();
    Operation = parser.operationType();
    if (parser.peek().kind === 'Name') Name = parser.take().value;
    VariableDefinitions = variableDefinitions(parser);
    Directives = parser.directives(false);
  }
  return {
    Operation,
    Name,
    VariableDefinitions,
    Directives,
    SelectionSet: requiredSelectionSet(parser),
    Comment,
    Position,
  };
}

function fragment(parser: GraphqlParser): FragmentDefinition {
  const Position = parser.position();
  const Comment = parser.comment();
  parser.expectKeyword('fragment');
  const Name = fragmentName(parser);
  const VariableDefinition = variableDefinitions(parser);
  parser.expectKeyword('on');
  const TypeCondition = parser.name();
  const Directives = parser.directives(false);
  return {
    Name,
    VariableDefinition,
    TypeCondition,
    Directives,
    SelectionSet: requiredSelectionSet(parser),
    Comment,
    Position,
  };
}

function fragmentName(parser: GraphqlParser): string {
  if (parser.peek().value === 'on') parser.unexpected();
  return parser.name();
}

function variableDefinitions(parser: GraphqlParser): VariableDefinition[] {
  return parser.some('(', ')', () => {
    const Position = parser.position();
    const Comment = parser.comment();
    const Variable = parser.variable();
    parser.expect(':');
    const Type = parser.type();
    const DefaultValue = parser.skip('=') ? parser.literal(true) : null;
    return { Variable, Type, DefaultValue, Directives: parser.directives(false), Used: false, Comment, Position };
  });
}

function requiredSelectionSet(parser: GraphqlParser): Selection[] {
  const token = parser.peek();
  if (token.kind !== '{') parser.fail(`Expected {, found ${token.kind}`, token);
  return parser.some('{', '}', () => selection(parser));
}

function selection(parser: GraphqlParser): Selection {
  const Comment = parser.comment();
  if (!parser.skip('...')) return field(parser);
  const Position = parser.position();
  const token = parser.peek();
  if (token.kind === 'Name' && token.value !== 'on')
    return { Name: parser.name(), Directives: parser.directives(false), Comment, Position };
  let TypeCondition = '';
  if (token.value === 'on') {
    parser.take();
    TypeCondition = parser.name();
  }
  return {
    TypeCondition,
    Directives: parser.directives(false),
    SelectionSet: requiredSelectionSet(parser),
    Comment,
    Position,
  };
}

function field(parser: GraphqlParser): GraphqlField {
  const Position = parser.position();
  const Comment = parser.comment();
  const Alias = parser.name();
  const Name = parser.skip(':') ? parser.name() : Alias;
  const Arguments = parser.arguments(false);
  const Directives = parser.directives(false);
  return {
    Alias,
    Name,
    Arguments,
    Directives,
    SelectionSet: parser.some('{', '}', () => selection(parser)),
    Comment,
    Position,
  };
}
