/** What validation takes of the `graphql` package, and no more of it is bundled. */
export { buildASTSchema, GraphQLError, NoUnusedFragmentsRule, specifiedRules, validate } from 'graphql';
