/** The text is not an expression of the small language that can be converted. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}
