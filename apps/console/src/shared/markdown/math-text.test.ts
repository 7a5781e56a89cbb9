import { expect, it } from 'vitest'
import { mathMarked } from './math-text.ts'

it.each([
  ['so \\(x^2\\) grows', 'so $$x^2$$ grows'],
  ['\\[ a = b \\]', '\n$$\na = b\n$$\n'],
  ['the $n$ of $a_1 + b$', 'the $$n$$ of $$a_1 + b$$'],
  ['it costs $5 and then $6', 'it costs $5 and then $6'],
  ['from $5 to $10, or $7', 'from $5 to $10, or $7'],
  ['$HOME and $PATH', '$HOME and $PATH'],
  ['already $$x$$', 'already $$x$$'],
  ['`$a_1$` and ```\n\\(x\\)\n```', '`$a_1$` and ```\n\\(x\\)\n```'],
  ['```\n$a_1$', '```\n$a_1$'],
])('%j becomes %j', (text, expected) => {
  expect(mathMarked(text)).toBe(expected)
})
