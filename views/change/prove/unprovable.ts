/** The end of a proof: an expression that a solver cannot answer for. */

/** Why a solver cannot answer: the expression, and its place. */
export class Unprovable extends Error {
  readonly expression: string;
  readonly place: string;

  constructor(reason: string, expression = '', place = '') {
    super(reason);
    this.name = 'Unprovable';
    this.expression = expression;
    this.place = place;
  }
}
