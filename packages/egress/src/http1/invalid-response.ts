import { errors } from 'undici'

/** Undici's types omit the parameters of the constructor. */
type ParserErrorOf = new (message: string, code: string) => Error

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const ParserError = errors.HTTPParserError as unknown as ParserErrorOf

/** The error for a response that violates HTTP/1.1; its `code` is that of undici: `HPE_` and the given code. */
export function invalidResponse(what: string, code: string): Error {
  return new ParserError(`the response is invalid: ${what}`, code)
}
