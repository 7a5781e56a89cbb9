import { expect, test } from 'vitest'
import { shape } from './shape.ts'

const isOther = (judged: ReturnType<typeof shape>, name: string) => {
  const bytes = Buffer.from(`"${name}"`)
  return judged.isOther(bytes, 1, bytes.length - 1)
}

test('names of other members are remembered, a few of each length', () => {
  const judged = shape({ max_tokens: null })
  for (const name of ['role', 'user', 'name', 'text', 'tool']) judged.noteOther(name)
  expect(['role', 'user', 'name', 'text', 'tool'].map((name) => isOther(judged, name))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
  expect(isOther(judged, 'roles')).toBe(false)
})

test('long names and names with other letters than those of ASCII are not remembered', () => {
  const judged = shape({ max_tokens: null })
  for (const name of ['n'.repeat(33), 'größe']) {
    judged.noteOther(name)
    expect(isOther(judged, name)).toBe(false)
  }
})
