import { expect, it } from 'vitest'
import { readPriceExtras, extraTextsWith, type ExtraTexts, noExtras } from './price-extras.ts'

const texts: ExtraTexts = {
  tools: '{"web_search":10,"web_search:gpt*":20,"web_search:gpt-4o*":25,"web_search:gpt-4o":30,"mine:a:b":1}',
  tiers: '{"priority:gpt-4o*":1.7}',
  lengths: '{"gpt*":[{"above":200,"input":2,"output":1.5}],"gpt-4o":[]}',
}

it("distinguishes a model's own extras from those of a prefix", () => {
  const book = readPriceExtras(texts)
  expect(book?.own('gpt-4o')).toEqual({ tools: { web_search: 30 }, tiers: {}, lengths: [] })
  expect(book?.inherited('gpt-4o')).toEqual({
    tools: { web_search: 25 },
    tiers: { priority: 1.7 },
    lengths: [{ above: 200, input: 2, output: 1.5 }],
  })
  expect(book?.inherited('claude').tools).toEqual({ web_search: 10 })
  expect(book?.own('a:b').tools).toEqual({ mine: 1 })
  expect(book?.own('*')).toEqual(noExtras)
  expect(book?.toolNames).toContain('mine')
  expect(book?.tierNames).toEqual(['priority', 'flex'])
})

it.each(['[]', '{"a":"b"}', '{"a":'])('is undefined while the tools are %j', (tools) => {
  expect(readPriceExtras({ ...texts, tools })).toBeUndefined()
})

it.each(['{"a":1}', '{"a":[1]}', '{"a":[{"above":1,"input":"2","output":1}]}'])(
  'is undefined while the lengths are %j',
  (lengths) => {
    expect(readPriceExtras({ ...texts, lengths })).toBeUndefined()
  },
)

it("writes only the model's own extras, and only the maps that change", () => {
  const same = readPriceExtras(texts)?.own('gpt-4o') ?? noExtras
  expect(extraTextsWith(texts, [{ model: 'gpt-4o', extras: same }]).size).toBe(0)
  const gone = extraTextsWith(texts, [{ model: 'gpt-4o', extras: noExtras }])
  expect([...gone.keys()]).toEqual(['tools', 'lengths'])
  expect(Object.keys(JSON.parse(gone.get('tools') ?? ''))).not.toContain('web_search:gpt-4o')
  const tiers = [{ above: 100, input: 2, output: 2, cache: 1 }]
  const added = extraTextsWith(texts, [
    { model: 'o3', extras: { tools: { file_search: 0 }, tiers: { flex: 0.5 }, lengths: tiers } },
  ])
  expect(JSON.parse(added.get('tools') ?? '')).toMatchObject({ 'file_search:o3': 0, web_search: 10 })
  expect(JSON.parse(added.get('tiers') ?? '')).toEqual({ 'priority:gpt-4o*': 1.7, 'flex:o3': 0.5 })
  expect(JSON.parse(added.get('lengths') ?? '')).toMatchObject({ o3: tiers, 'gpt-4o': [] })
})
