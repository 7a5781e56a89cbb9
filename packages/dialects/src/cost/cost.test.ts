import { describe, expect, test } from 'vitest'
import { reportInBody, reportInFrames } from './report-cost.ts'
import { bodyWithoutVendorCost, usagePaths, withoutVendorCost } from './vendor-cost.ts'

const cost = { total: '0.00065', input: '0.00025', output: '0.0004' }
const CHAT_MEMBERS =
  '"cost":0.00065,"cost_details":{"upstream_inference_cost":null,"upstream_inference_prompt_cost":0.00025,"upstream_inference_completions_cost":0.0004},"is_byok":false'
const RESPONSES_MEMBERS =
  '"cost":0.00065,"cost_details":{"upstream_inference_cost":null,"upstream_inference_input_cost":0.00025,"upstream_inference_output_cost":0.0004},"is_byok":false'

const inBody = (text: string) => reportInBody(Buffer.from(text), cost, 'chat').toString()
const inFrames = (...texts: string[]) =>
  Buffer.concat([
    ...reportInFrames(
      texts.map((text) => Buffer.from(text)),
      cost,
      'chat',
    ),
  ]).toString()

describe('the cost in a whole response', () => {
  test('is added to the usage object, and all other bytes stay', () => {
    expect(inBody('{ "n": 1.0, "usage" : {"prompt_tokens":1 } , "x":"usage"}')).toBe(
      `{ "n": 1.0, "usage" : {"prompt_tokens":1 ,${CHAT_MEMBERS}} , "x":"usage"}`,
    )
    expect(inBody('{"usage":{}}')).toBe(`{"usage":{${CHAT_MEMBERS}}}`)
  })

  test('replaces every cost that is there already', () => {
    const vendor = '"cost":9,"cost_details":{"upstream_inference_cost":8},"is_byok":true,"estimated_cost":7'
    expect(inBody(`{"usage":{${vendor},"prompt_tokens":1}}`)).toBe(
      `{"usage":{"prompt_tokens":1,${CHAT_MEMBERS}}}`,
    )
  })

  test.each(['{"data":[]}', '{"usage":null}', '{"usage":[1]}', '{"a":{"usage":{}}}', '"usage"', ''])(
    'is not added to %s, which has no usage object',
    (text) => expect(inBody(text)).toBe(text),
  )
})

describe('the cost in the end of a stream', () => {
  const END = 'data: [DONE]\n\n'

  test('is added to the last usage object only', () => {
    const interim = 'data: {"usage":{"prompt_tokens":1}}\n\n'
    const none = 'data: {"choices":[],"usage":null}\n\n'
    expect(inFrames(interim, interim, none, END)).toBe(
      `${interim}data: {"usage":{"prompt_tokens":1,${CHAT_MEMBERS}}}\n\n${none}${END}`,
    )
  })

  test('is found in a response event, in a line with CR LF, without a space, and in several buffers', () => {
    const line = 'event: response.completed\r\ndata:{"response":{"usage":{"input_tokens":1}}}\r\n\r\n'
    const frames = [line.slice(0, 40), line.slice(40)].map((text) => Buffer.from(text))
    expect(Buffer.concat([...reportInFrames(frames, cost, 'responses')]).toString()).toBe(
      `event: response.completed\r\ndata:{"response":{"usage":{"input_tokens":1,${RESPONSES_MEMBERS}}}}\r\n\r\n`,
    )
  })

  test('is not added to texts that speak of usage', () => {
    const text = 'data: {"choices":[{"delta":{"content":"{\\"usage\\":{}}"}}],"a":{"usage":{}}}\n\n'
    expect(inFrames(text, END)).toBe(text + END)
    expect(inFrames(': "usage"\n\n', 'event: "usage"\n')).toBe(': "usage"\n\nevent: "usage"\n')
    expect(reportInFrames([], cost, 'chat')).toEqual([])
  })
})

describe("a vendor's cost", () => {
  test('is removed from the usage, and all other bytes stay', () => {
    const text = '{ "cost": 1, "usage": {"prompt_tokens":1.0, "cost":0.5,"cost_in_usd_ticks":7}}'
    const own = withoutVendorCost(Buffer.from(text), usagePaths.body)
    expect(own.toString()).toBe('{ "cost": 1, "usage": {"prompt_tokens":1.0}}')
  })

  test.each(['{"usage":{"prompt_tokens":1}}', '{"content":"cost","usage":{"prompt_tokens":1}}', 'cost', ''])(
    'that is not there leaves %s as it is',
    (text) => {
      const bytes = Buffer.from(text)
      expect(withoutVendorCost(bytes, usagePaths.body)).toBe(bytes)
      expect(bodyWithoutVendorCost(bytes, {})).toBe(bytes)
    },
  )

  test.each(['cost', 'cost_details', 'estimated_cost', 'cost_in_usd_ticks'])(
    'named %s is removed',
    (name) => {
      const text = Buffer.from(`{"response":{"usage":{"input_tokens":1,"${name}":0.5}}}`)
      const own = withoutVendorCost(text, usagePaths.response)
      expect(own.toString()).toBe('{"response":{"usage":{"input_tokens":1}}}')
    },
  )

  test('is removed when its name is written with escapes', () => {
    const text = '{"usage":{"c\\u006fst":1,"prompt_tokens":1}}'
    expect(bodyWithoutVendorCost(Buffer.from(text), { usage: { cost: 1 } }).toString()).toBe(
      '{"usage":{"prompt_tokens":1}}',
    )
  })
})
