import { describe, expect, it } from 'vitest'
import { clientSetups, setupOf, variantOf } from './index.ts'
import { sampleCall } from './sample-call.ts'
import { textOf } from './write.ts'

const values = { address: 'https://gateway.example', key: 'sk-abc', model: 'gpt-5.2' }
const awkward = { ...values, model: `o'brien "x" \\ $(id) \`id\`` }
const all = clientSetups.flatMap((setup) =>
  setup.variants.map((variant) => ({ name: `${setup.id} ${variant.id}`, variant })),
)

describe.each(all)('the setup of $name', ({ variant }) => {
  it('contains the address, the key and the model', () => {
    const text = variant
      .blocks(values)
      .map((block) => textOf(block))
      .join('\n')
    for (const value of Object.values(values)) expect(text).toContain(value)
  })

  it('has files that are valid for every model name', () => {
    for (const block of variant.blocks(awkward)) {
      if (block.type !== 'file') continue
      if (block.language === 'json') expect(() => void JSON.parse(block.text)).not.toThrow()
      else expect(block.text).toContain(`model = ${JSON.stringify(awkward.model)}`)
    }
  })
})

it('no two clients and no two variants of a client have the same id', () => {
  for (const ids of [
    clientSetups.map(({ id }) => id),
    ...clientSetups.map((setup) => setup.variants.map(({ id }) => id)),
  ])
    expect(new Set(ids).size).toBe(ids.length)
})

it('an unknown client or variant is replaced by the first', () => {
  expect(setupOf('nothing').id).toBe('claude-code')
  expect(variantOf(setupOf('codex'), 'nothing').id).toBe('http')
})

it('variables are quoted for both shells', () => {
  const block = { type: 'environment', variables: { NAME: `it's $HOME` } } as const
  expect(textOf(block)).toBe(String.raw`export NAME='it'\''s $HOME'`)
  expect(textOf(block, 'powershell')).toBe(`$env:NAME = 'it''s $HOME'`)
})

it('a model with a slash stays one part of the path', () => {
  expect(sampleCall('gemini', { key: 'sk-abc', model: 'google/gemini' }).path).toBe(
    '/v1beta/models/google%2Fgemini:generateContent',
  )
})
