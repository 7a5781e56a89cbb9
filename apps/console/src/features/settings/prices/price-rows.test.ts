import { expect, it } from 'vitest'
import { type MapTexts, modeOf, rowsOf, textsWith } from './price-rows.ts'

const texts: MapTexts = {
  price: '{"draw":0.1}',
  ratio: '{"gpt":1.25,"draw":3}',
  completion: '{"gpt":8}',
  cache: '{}',
  cacheWrite: '{}',
  cacheWrite1h: '{}',
  image: '{}',
  audio: '{}',
  audioCompletion: '{}',
}

it('combines all maps into one row per model, including models that no map names', () => {
  const rows = rowsOf(texts, ['new', 'gpt'])
  expect(rows).toEqual([
    { model: 'draw', parts: { price: 0.1, ratio: 3 } },
    { model: 'gpt', parts: { ratio: 1.25, completion: 8 } },
    { model: 'new', parts: {} },
  ])
  expect(rows?.map(modeOf)).toEqual(['call', 'usage', 'none'])
})

it.each(['', '[]', '{"a":"b"}', '{"a":'])('returns undefined while a map is %j', (ratio) => {
  expect(rowsOf({ ...texts, ratio }, [])).toBeUndefined()
})

it('writes only the maps that change, and removes the parts that a mode does not use', () => {
  const parts = { ratio: 2, completion: 4 }
  const changed = textsWith(
    texts,
    ['draw', 'new'].map((model) => ({ model, parts })),
  )
  expect([...changed.keys()].toSorted()).toEqual(['completion', 'price', 'ratio'])
  expect(JSON.parse(changed.get('price') ?? '')).toEqual({})
  expect(JSON.parse(changed.get('ratio') ?? '')).toEqual({ gpt: 1.25, draw: 2, new: 2 })
  expect(textsWith(texts, [{ model: 'gpt', parts: { ratio: 1.25, completion: 8 } }]).size).toBe(0)
})
