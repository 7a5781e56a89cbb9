import { ExpressionError } from './expression-error.ts'
import { splitExpression, type ExpressionToken } from './tokens.ts'

/** A billing expression of new-api as a tree; see `expr.md` among the sources. */
export type PriceExpression =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'call'; readonly name: string; readonly values: readonly PriceExpression[] }
  | {
      readonly type: 'operation'
      readonly sign: string
      readonly left: PriceExpression
      readonly right: PriceExpression
    }
  | {
      readonly type: 'choice'
      readonly condition: PriceExpression
      readonly whenTrue: PriceExpression
      readonly whenFalse: PriceExpression
    }

const CHARACTERS_MAX = 4_000
const DEPTH_MAX = 40

export function parseExpression(text: string): PriceExpression {
  if (text.length > CHARACTERS_MAX) throw new ExpressionError('it is too long')
  const parser = new Parser(splitExpression(text))
  const expression = parser.readChoice(0)
  parser.requireEnd()
  return expression
}

/** Binary operators, the weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||', 'or'],
  ['&&', 'and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
]

class Parser {
  readonly #tokens: readonly ExpressionToken[]
  #place = 0

  constructor(tokens: readonly ExpressionToken[]) {
    this.#tokens = tokens
  }

  readChoice(depth: number): PriceExpression {
    if (depth > DEPTH_MAX) throw new ExpressionError('it is nested too deeply')
    const condition = this.#readLevel(0, depth)
    if (!this.#takes('?')) return condition
    const whenTrue = this.readChoice(depth + 1)
    this.#require(':')
    return { type: 'choice', condition, whenTrue, whenFalse: this.readChoice(depth + 1) }
  }

  requireEnd(): void {
    const token = this.#tokens[this.#place]
    if (token) throw new ExpressionError(`“${token.text}” is not understood`)
  }

  #readLevel(level: number, depth: number): PriceExpression {
    const signs = LEVELS[level]
    if (!signs) return this.#readPrimary(depth)
    let leftSide = this.#readLevel(level + 1, depth)
    for (;;) {
      const sign = signs.find((candidate) => this.#takes(candidate))
      if (sign === undefined) return leftSide
      leftSide = { type: 'operation', sign, left: leftSide, right: this.#readLevel(level + 1, depth) }
    }
  }

  #readPrimary(depth: number): PriceExpression {
    const token = this.#tokens[this.#place++]
    if (token === undefined) throw new ExpressionError('it ends too early')
    if (token.type === 'number') return { type: 'number', value: Number(token.text) }
    if (token.type === 'text') return { type: 'text', value: token.text }
    if (token.type === 'name') return this.#takes('(') ? this.#readCall(token.text, depth) : this.#name(token)
    if (token.text !== '(') throw new ExpressionError(`“${token.text}” is not understood`)
    const inner = this.readChoice(depth + 1)
    this.#require(')')
    return inner
  }

  #name({ text }: ExpressionToken): PriceExpression {
    return { type: 'name', name: text }
  }

  #readCall(name: string, depth: number): PriceExpression {
    const values: PriceExpression[] = []
    if (this.#takes(')')) return { type: 'call', name, values }
    do values.push(this.readChoice(depth + 1))
    while (this.#takes(','))
    this.#require(')')
    return { type: 'call', name, values }
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#place]
    if (token === undefined || token.text !== text || token.type === 'text') return false
    this.#place++
    return true
  }

  #require(text: string): void {
    if (!this.#takes(text)) throw new ExpressionError(`“${text}” is missing`)
  }
}
