import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { mutations } from './mutations.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

// The run that removes guards takes half an hour, so a guard that moved must show here already.
describe('a list of guards to remove', () => {
  it.each(mutations)('finds "$guard" exactly once in its file', ({ file, from, to, corpus }) => {
    const source = readFileSync(`${root}/${file}`, 'utf8')
    expect(source.split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
    for (const name of corpus?.split('|') ?? [])
      expect(existsSync(`${root}/apps/server/test/attacks/${name}.test.ts`)).toBe(true)
  })
})
