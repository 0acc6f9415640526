/** The part of the `graphql` package that validation needs: no more of it is bundled. */
export { buildASTSchema, GraphQLError, NoUnusedFragmentsRule, specifiedRules, validate } from 'graphql';
