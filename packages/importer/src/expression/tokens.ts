import { ExpressionError } from './expression-error.ts'

export interface ExpressionToken {
  readonly type: 'number' | 'text' | 'name' | 'sign'
  /** Of a text, without its quotes. */
  readonly text: string
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|"([^"\\]*)"|'([^'\\]*)'|([a-z_]\w*)|(\|\||&&|[<>=!]=|[-+*/<>?:(),]))/iy

export function splitExpression(text: string): readonly ExpressionToken[] {
  const tokens: ExpressionToken[] = []
  const rest = text.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < rest.length) {
    const start = TOKEN.lastIndex
    const match = TOKEN.exec(rest)
    if (!match) throw new ExpressionError(`“${rest.slice(start, start + 20).trim()}” is not understood`)
    tokens.push(readToken(match))
  }
  return tokens
}

function readToken([, number, double, single, name, sign = '']: RegExpExecArray): ExpressionToken {
  if (number !== undefined) return { type: 'number', text: number }
  const quoted = double ?? single
  if (quoted !== undefined) return { type: 'text', text: quoted }
  return name === undefined ? { type: 'sign', text: sign } : { type: 'name', text: name }
}
