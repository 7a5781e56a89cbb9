import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { Scrubber } from './scrubber.ts'

const PLACE = '/tmp/tollgate-agent-x1'
const PROMPT = 'You are an agent.\n  Read the files before you write.\n<env>folder</env>'

function scrubbed(value: unknown): unknown {
  return new Scrubber(PLACE).scrub(value)
}

test('a prompt becomes filler of the same length with the same lines and tags', () => {
  const text = String(scrubbed(PROMPT))
  expect(text).not.toMatch(/agent|files|folder/)
  expect(text.split('\n').map(({ length }) => length)).toEqual(PROMPT.split('\n').map(({ length }) => length))
  expect(text).toContain('<env>lorem ')
})

test('descriptions become filler while names, types and schemas stay', () => {
  const tool = {
    type: 'function',
    name: 'read_file',
    description: 'Reads',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'A path', enum: ['one word', 'b'] } },
      required: ['path'],
    },
  }
  const expected = structuredClone(tool)
  expected.description = 'lorem'
  expected.parameters.properties.path.description = 'lorem '
  expect(scrubbed(tool)).toEqual(expected)
})

test('arguments of tool calls stay as they are, except for the folder', () => {
  const block = {
    type: 'tool_use',
    id: 'call_1',
    name: 'Write',
    input: { file_path: `${PLACE}/a.txt`, content: 'a b c' },
  }
  expect(scrubbed(block)).toEqual({ ...block, input: { file_path: '/work/a.txt', content: 'a b c' } })
})

test('the conversation of a Responses call becomes filler although its member is called input', () => {
  const body = {
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Please do this' }] }],
  }
  expect(JSON.stringify(scrubbed(body))).not.toContain('Please')
})

test('equal ids stay equal but get new values, and the machine name is replaced', () => {
  const [one, two] = ['5f0c8f2e-0d5e-4a50-9a43-3a8f1f0a7d11', '7a0c8f2e-0d5e-4a50-9a43-3a8f1f0a7d22']
  const ids = scrubbed([one, two, one])
  expect(ids).toEqual([
    '00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000002',
    '00000000-0000-4000-8000-000000000001',
  ])
  expect(scrubbed({ user_id: `on ${hostname()}` })).toEqual({ user_id: 'on host' })
})
