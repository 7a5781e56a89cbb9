import { expect, test } from 'vitest'
import type { CallOperation } from '../conversations.ts'
import { uncountedInput, uncountedMembers } from './index.ts'

const turn = (...parts: readonly object[]) => ({ messages: [{ role: 'user', content: parts }] })
const item = (...parts: readonly object[]) => ({ input: [{ role: 'user', content: parts }] })
const content = (...parts: readonly object[]) => ({ contents: [{ role: 'user', parts }] })
const tool = (type: string, more: object = {}) => ({ tools: [{ type, ...more }] })

type Case = readonly [CallOperation, Record<string, unknown>, string]

test.each<Case>([
  ['chat', { web_search_options: {} }, 'web_search_options'],
  ['chat', { enable_search: true }, 'enable_search'],
  ['chat', { search_parameters: { mode: 'auto' } }, 'search_parameters'],
  ['chat', { plugins: [{ id: 'web' }] }, 'plugins'],
  ['chat', tool('builtin_function', { function: { name: '$web_search' } }), 'tools.builtin_function'],
  ['chat', { tools: [{ google_search: {} }] }, 'tools.google_search'],
  ['messages', tool('web_search_20250305'), 'tools.web_search_20250305'],
  ['messages', tool('web_fetch_20250910'), 'tools.web_fetch_20250910'],
  ['messages', tool('code_execution_20250825'), 'tools.code_execution_20250825'],
  ['messages', tool('computer_20250124'), 'tools.computer_20250124'],
  ['responses', tool('web_search'), 'tools.web_search'],
  ['responses', tool('code_interpreter', { container: { type: 'auto' } }), 'tools.code_interpreter'],
  ['responses', tool('shell', { environment: { type: 'container_auto' } }), 'tools.shell'],
  ['responses', tool('namespace', { tools: [{ type: 'web_search' }] }), 'tools.web_search'],
  ['responses', { input: [{ type: 'additional_tools', ...tool('web_search') }] }, 'tools.web_search'],
  [
    'responses',
    { input: [{ type: 'tool_search_output', ...tool('namespace', { tools: [{ type: 'web_search' }] }) }] },
    'tools.web_search',
  ],
  ['generate', { tools: [{ googleSearch: {} }] }, 'tools.googleSearch'],
  ['generate', { tools: { google_search: {} } }, 'tools.google_search'],
  ['generate', { tools: [{ functionDeclarations: [], urlContext: {} }] }, 'tools.urlContext'],
  ['generate', { tools: [{ code_execution: {} }] }, 'tools.code_execution'],
])('%s %j runs a tool of the upstream', (operation, body, member) => {
  expect(uncountedInput(operation, body)).toMatchObject({ serverTool: member, storedContext: undefined })
})

const result = { type: 'tool_result', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }

test.each<Case>([
  ['messages', { mcp_servers: [{ url: 'https://a.test' }] }, 'mcp_servers'],
  ['messages', tool('mcp_toolset', { mcp_server_name: 'a' }), 'tools.mcp_toolset'],
  ['messages', { container: 'container_1' }, 'container'],
  ['messages', turn({ type: 'document', source: { type: 'file', file_id: 'f' } }), 'source.file_id'],
  ['messages', turn(result), 'source.file_id'],
  ['messages', turn({ type: 'container_upload', file_id: 'f' }), 'file_id'],
  ['chat', turn({ type: 'file', file: { file_id: 'f' } }), 'file.file_id'],
  ['chat', turn({ type: 'text', text: 'a', file: { file_id: 'f' } }), 'file.file_id'],
  [
    'chat',
    { messages: [{ type: 'text', ...turn({ type: 'file', file: { file_id: 'f' } }).messages[0] }] },
    'file.file_id',
  ],
  ['messages', turn({ type: 'thinking', thinking: '', source: { file_id: 'f' } }), 'source.file_id'],
  ['generate', content({ type: 'text', fileData: { fileUri: 'files/abc' } }), 'fileData'],
  ['chat', { extra_body: { google: { cached_content: 'c' } } }, 'extra_body.google.cached_content'],
  ['chat', { messages: [{ role: 'cache', content: 'cache_id=1' }] }, 'messages.role'],
  ['responses', { previous_response_id: 'r' }, 'previous_response_id'],
  ['compact', { previous_response_id: 'r' }, 'previous_response_id'],
  ['responses', { conversation: 'c' }, 'conversation'],
  ['responses', { prompt: { id: 'p' } }, 'prompt'],
  ['responses', tool('mcp', { server_url: 'https://a.test' }), 'tools.mcp'],
  ['responses', tool('file_search', { vector_store_ids: ['v'] }), 'tools.file_search'],
  ['responses', item({ type: 'input_image', file_id: 'f' }), 'file_id'],
  [
    'responses',
    { input: [{ type: 'function_call_output', output: [{ type: 'input_file', file_id: 'f' }] }] },
    'file_id',
  ],
  [
    'responses',
    { input: [{ type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'f' } }] },
    'file_id',
  ],
  ['image-edits', { images: [{ file_id: 'f' }] }, 'file_id'],
  ['image-edits', { image: 'data:,', mask: { file_id: 'f' } }, 'file_id'],
  ['embed', { content: { parts: [{ fileData: { fileUri: 'files/abc' } }] } }, 'fileData'],
  ['embed', { requests: [{ content: { parts: [{ file_data: { file_uri: 'files/a' } }] } }] }, 'file_data'],
  ['embeddings', { input: [{ type: 'input_image', file_id: 'f' }] }, 'file_id'],
  ['generate', { cachedContent: 'cachedContents/1' }, 'cachedContent'],
  ['generate', { cached_content: 'cachedContents/1' }, 'cached_content'],
  ['generate', { tools: [{ fileSearch: {} }] }, 'tools.fileSearch'],
  ['generate', content({ fileData: { fileUri: 'files/abc' } }), 'fileData'],
  [
    'generate',
    content({
      file_data: { file_uri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' },
    }),
    'file_data',
  ],
])('%s %j references something that is stored', (operation, body, member) => {
  expect(uncountedInput(operation, body)).toMatchObject({ storedContext: member })
})

test.each<readonly [CallOperation, Record<string, unknown>]>([
  ['chat', turn({ type: 'video_url', video_url: { url: 'https://a.test/b.mp4' } })],
  ['chat', turn({ type: 'audio_url', audio_url: { url: 'https://a.test/b.mp3' } })],
  ['chat', turn({ type: 'file', file: { file_data: 'https://a.test/b.pdf' } })],
  ['chat', turn({ type: 'image_url', image_url: { url: 'data:video/mp4;base64,AAAA' } })],
  ['responses', item({ type: 'input_image', image_url: 'data:application/pdf;base64,AAAA' })],
  [
    'chat',
    turn({ type: 'file', file: { filename: 'a.txt', file_data: 'data:application/pdf;base64,AAAA' } }),
  ],
  ['chat', turn({ type: 'file', file: { filename: 'a.pdf', file_data: 'data:text/plain;base64,AAAA' } })],
  ['chat', turn({ type: 'document_url', document_url: 'https://a.test/b.pdf' })],
  ['chat', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
  ['messages', turn({ type: 'document', source: { type: 'url', url: 'https://a.test/b.pdf' } })],
  ['responses', item({ type: 'input_file', file_url: 'https://a.test/b.pdf' })],
  ['responses', { input: [{ type: 'item_reference', id: 'i' }] }],
  ['embed', { content: { parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'https://a.test/b' } }] } }],
  ['generate', content({ fileData: { mimeType: 'video/mp4', fileUri: 'https://a.test/b' } })],
  ['generate', content({ file_data: { mime_type: 'application/pdf', file_uri: 'gs://a/b' } })],
  ['generate', content({ fileData: { mimeType: 'image/png', fileUri: 'https://youtu.be/x' } })],
  ['generate', content({ inlineData: { mimeType: 'application/pdf', data: '' } })],
  [
    'generate',
    content({ functionResponse: { name: 'f', parts: [{ fileData: { fileUri: 'https://a.test/b' } }] } }),
  ],
  ['generate', { contents: [], system_instruction: content({ fileData: { fileUri: 'gs://a/b' } }).contents }],
])('%s %j is read by the upstream only, and no setting controls it', (operation, body) => {
  expect(uncountedInput(operation, body)).toMatchObject({ serverTool: undefined, storedContext: undefined })
})

const FILE = { file_id: 'f', type: 'input_file', fileData: { fileUri: 'files/a' } }

test.each<readonly [CallOperation, Record<string, unknown>]>([
  ['chat', turn({ type: 'text', text: 'file_id web_search' })],
  ['chat', turn({ type: 'image_url', image_url: { url: 'https://a.test/b.png' } })],
  ['chat', turn({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })],
  ['chat', turn({ type: 'file', file: { filename: 'a.txt', file_data: 'AAAA' } })],
  ['chat', turn({ type: 'file', file: { filename: 'a.py', file_data: 'data:text/x-python;base64,AAAA' } })],
  ['chat', tool('function', { function: { name: 'web_search', parameters: FILE } })],
  ['chat', { enable_search: false, search_parameters: { mode: 'off' }, plugins: [], web_search: null }],
  ['messages', { tools: [{ name: 'web_search', input_schema: { properties: { mcp: {} } } }] }],
  ['messages', tool('bash_20250124', { name: 'bash' })],
  ['messages', turn({ type: 'tool_use', name: 'f', input: FILE })],
  ['messages', { metadata: FILE }],
  ['messages', turn({ type: 'document', source: { type: 'text', data: 'hi' } })],
  ['responses', tool('custom', { name: 'apply_patch' })],
  ['responses', tool('local_shell')],
  ['responses', { input: [{ type: 'function_call', name: 'f', arguments: '{"file_id":1}' }] }],
  ['generate', { tools: [{ function_declarations: [{ name: 'googleSearch' }] }] }],
  ['generate', content({ functionCall: { name: 'f', args: FILE } })],
  ['generate', content({ functionResponse: { name: 'f', response: FILE } })],
  ['generate', content({ inlineData: { mimeType: 'image/png', data: '' } })],
  ['embeddings', { input: 'hi', web_search_options: {} }],
])('%s %j contains everything that the upstream reads', (operation, body) => {
  expect(uncountedInput(operation, body)).toBeUndefined()
})

test('uncountedMembers contains the top-level members that are checked', () => {
  const judged = ['mcp_servers', 'cachedContent', 'previous_response_id', 'web_search_options', 'tools']
  expect(uncountedMembers).toEqual(expect.arrayContaining(judged))
})

test.each<CallOperation>(['chat', 'messages', 'responses', 'compact', 'generate'])(
  'uncountedMembers contains every top-level member of %s that is read',
  (operation) => {
    const read = new Set<string>()
    const body = new Proxy<Record<string, unknown>>(
      { container: 'auto', extra_body: {} },
      {
        get: (target, name) => {
          read.add(String(name))
          return Reflect.get(target, name)
        },
      },
    )
    uncountedInput(operation, body)
    expect(read.size).toBeGreaterThan(15)
    expect([...read].filter((name) => !uncountedMembers.includes(name))).toEqual([])
  },
)
