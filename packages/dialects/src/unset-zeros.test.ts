import { expect, test } from 'vitest'
import { readAsk } from './ask.ts'
import type { CallOperation } from './conversations.ts'

const chat = '"model":"m","messages":[{"role":"user","content":"hi"}]'
const response = '"model":"m","input":"hi"'
const completion = '"model":"m","prompt":"hi"'

test.each<[CallOperation, string, string]>([
  ['chat', `{${chat},"max_tokens":0,"temperature":0}`, `{${chat},"temperature":0}`],
  ['chat', `{ "max_tokens" : 0 , ${chat}, "seed": 1.0 }`, `{ ${chat}, "seed": 1.0 }`],
  ['chat', `{${chat},"max_completion_tokens":0.0,"n":0}`, `{${chat}}`],
  ['chat', `{${chat},"max_tokens":0,"max_completion_tokens":7}`, `{${chat},"max_completion_tokens":7}`],
  ['messages', `{"max_tokens":0,${chat}}`, `{${chat}}`],
  ['responses', `{${response},"max_output_tokens":0}`, `{${response}}`],
  ['completions', `{${completion},"max_tokens":0,"n":0,"best_of":1}`, `{${completion},"best_of":1}`],
  ['images', `{${completion},"n":0,"size":"1024x1024"}`, `{${completion},"size":"1024x1024"}`],
])('%s: zero counts as not set in %s', (operation, sent, forwarded) => {
  const ask = readAsk(operation, Buffer.from(sent))
  expect(ask.bytes.toString()).toBe(forwarded)
  expect(ask.body).toEqual(JSON.parse(forwarded))
  expect(ask.members.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(forwarded)))
  expect(ask.choices).toBe(1)
  expect(ask.outputTokensMax).toBe(ask.body['max_completion_tokens'])
})

test.each<[CallOperation, string]>([
  ['chat', `{${chat},"temperature":0,"seed":0,"top_p":0,"presence_penalty":0}`],
  ['chat', `{${chat},"metadata":{"max_tokens":0,"n":0}}`],
  ['messages', `{${chat},"n":0}`],
])('%s: %s passes unchanged', (operation, sent) => {
  const bytes = Buffer.from(sent)
  expect(readAsk(operation, bytes).bytes).toBe(bytes)
})

test.each<[CallOperation, string, string]>([
  ['chat', `{${chat},"max_tokens":-1}`, 'member_out_of_range'],
  ['chat', `{${chat},"max_tokens":0.5}`, 'member_out_of_range'],
  ['chat', `{${chat},"max_completion_tokens":1e30}`, 'member_out_of_range'],
  ['chat', `{${chat},"max_tokens":"0"}`, 'member_invalid'],
  ['chat', `{${chat},"max_tokens":false}`, 'member_invalid'],
  ['chat', `{${chat},"max_tokens":0,"max_tokens":9}`, 'member_repeated'],
  ['chat', `{${chat},"maxTokens":0}`, 'member_misspelled'],
  ['completions', `{${completion},"best_of":0}`, 'member_out_of_range'],
  ['messages', `{${chat},"max_tokens":-1}`, 'member_out_of_range'],
  ['responses', `{${response},"max_output_tokens":-1}`, 'member_out_of_range'],
  ['generate', '{"contents":[{}],"generationConfig":{"maxOutputTokens":0}}', 'member_out_of_range'],
])('%s: %s is refused', (operation, sent, code) => {
  expect(() => readAsk(operation, Buffer.from(sent), { pathModel: 'm' })).toThrow(code)
})
