import { expect, it } from 'vitest'
import { withShortDescriptions } from './tool-descriptions.ts'

const long = `${'word '.repeat(260)}the end`
const chatTool = { type: 'function', function: { name: 'f', description: long } }
const user = { role: 'user', content: 'x' }

function joined(description: unknown, instructions: unknown): string {
  return `${String(description).replace('… (continued in the instructions)', '')}${String(instructions).split('continued: ')[1]}`
}

it.each([
  ['a system text', [{ role: 'system', content: 's' }, user]],
  ['a list of texts', [{ role: 'developer', content: [{ type: 'text', text: 's' }] }, user]],
  ['no system text', [user]],
])('the rest of a description moves into the instructions of a chat with %s', (_name, messages) => {
  const body = withShortDescriptions({ messages, tools: [chatTool] }, 1024)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form in which they were given
  const [tool] = body['tools'] as (typeof chatTool)[]
  expect(tool?.function.description).toHaveLength(1024)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form in which they were given
  const [first] = body['messages'] as { role: string; content: unknown }[]
  const content: unknown = Array.isArray(first?.content) ? first.content.at(-1).text : first?.content
  expect(joined(tool?.function.description, content)).toBe(long)
  expect(JSON.stringify(body['messages'])).toContain('"x"')
})

it('it moves into the instructions of Responses', () => {
  const tools = [{ type: 'function', name: 'f', description: long }, { type: 'web_search' }]
  const body = withShortDescriptions({ input: 'x', instructions: 'be brief', tools }, 1024)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form in which they were given
  const [tool] = body['tools'] as (typeof tools)[number][]
  expect(joined(tool?.description, body['instructions'])).toBe(long)
  expect(body['instructions']).toMatch(/^be brief\n\nThe tool f, continued: /)
})

it('descriptions that fit stay', () => {
  const body = {
    messages: [user],
    tools: [{ type: 'function', function: { name: 'f', description: 'short' } }],
  }
  expect(withShortDescriptions(body, 1024)).toBe(body)
})
