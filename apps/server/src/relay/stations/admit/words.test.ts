import { readAsk } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import { invariant } from '@tollgate/kit/invariant'
import { describe, expect, it } from 'vitest'
import { wordFilter } from '../../../snapshots/word-filter.ts'
import { textsIn } from './texts-in.ts'
import { refuseWords } from './words.ts'
import { textsOfCall } from './texts-of-call.ts'

const unreadable = (line: string): never => {
  throw new Error(line)
}
const found = (lines: readonly string[], text: string) => wordFilter(lines, unreadable)?.find(text)
const many = Array.from({ length: 50 }, (_, index) => `word-${index}-`)

describe('refused words', () => {
  it.each([
    [['Forbidden'], 'this is FORBIDDEN here', 'forbidden'],
    [['禁止'], '这是禁止的', '禁止'],
    [[...many, 'Needle'], 'a hay with a nEEdle', 'needle'],
    [[...many, 'ab', 'abc'], 'xx abc', 'ab'],
    [['regex:\\bB[a-z]+ad\\b'], 'so BrEad it is', '\\bB[a-z]+ad\\b'],
    [['word', 'regex:x{3}'], 'xxx', 'x{3}'],
  ])('the list %j finds its word in %j', (lines, text, word) => {
    expect(found(lines, text)).toBe(word)
  })

  it('a list of patterns only is searched, and upper-case classes in a pattern match in any case', () => {
    expect(found(['regex:[A-Z]{4}'], 'abcd')).toBe('[A-Z]{4}')
  })

  it.each([
    [['other'], 'text'],
    [many, 'word-50-'],
    [['regex:^only$'], 'not only this'],
  ])('the list %j finds nothing in %j', (lines, text) => {
    expect(found(lines, text)).toBeUndefined()
  })

  it('an empty list gives no filter, and an invalid pattern is reported and left out', () => {
    expect(wordFilter([' ', ''], unreadable)).toBeUndefined()
    const reported: string[] = []
    const filter = wordFilter(['regex:(', 'good'], (line) => void reported.push(line))
    expect(reported).toEqual(['('])
    expect(filter?.find('good')).toBe('good')
  })

  it('a pattern with catastrophic backtracking in other engines runs in linear time', () => {
    expect(found(['regex:(a+)+$'], `${'a'.repeat(50_000)}b`)).toBeUndefined()
  })
})

describe('search for refused words in a request', () => {
  const filter = wordFilter(['secret'], unreadable)
  const bodyReader = { findWord: () => Promise.reject(new Error('short texts are searched here')) }
  function search(text: string, words: string[]): void {
    invariant(filter !== undefined, 'there is a word to look for')
    const found = refuseWords(text, {
      filter,
      userId: 1,
      bodyReader,
      onFound: (word) => void words.push(word),
    })
    expect(found).toBeUndefined()
  }
  const cases: readonly (readonly [CallOperation, object])[] = [
    ['chat', { messages: [{ role: 'user', content: 'a SECRET' }] }],
    ['chat', { messages: [{ role: 'system', content: [{ type: 'text', text: 'secret' }] }] }],
    [
      'chat',
      { messages: [{ role: 'user', content: 'x' }], tools: [{ function: { description: 'secret' } }] },
    ],
    ['messages', { system: 'secret', messages: [{ role: 'user', content: 'x' }] }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'secret' }] }] }],
    ['responses', { input: 'secret' }],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'secret' }] }] }],
    ['generate', { contents: [{ parts: [{ text: 'secret' }] }] }],
    [
      'generate',
      { contents: [{ parts: [{ text: 'x' }] }], systemInstruction: { parts: [{ text: 'secret' }] } },
    ],
    ['completions', { prompt: ['x', 'secret'] }],
    ['embeddings', { input: ['secret'] }],
    ['embed', { content: { parts: [{ text: 'secret' }] } }],
    ['moderations', { input: 'secret' }],
    ['rerank', { query: 'secret', documents: ['x'] }],
    ['rerank', { query: 'x', documents: ['x', { text: 'secret' }] }],
    ['search', { commands: { search_query: [{ q: 'secret' }] } }],
    ['images', { prompt: 'secret' }],
    ['images', { prompt: 'x', negative_prompt: 'secret' }],
    ['speech', { model: 'tts-1', input: 'secret' }],
    ['speech', { model: 'gpt-4o-mini-tts', input: 'x', instructions: 'secret' }],
    ['chat', { messages: [{ role: 'user', content: '\u0073ecret' }] }],
  ]

  it.each(cases)('finds a refused word in a %s request: %j', (operation, body) => {
    const ask = readAsk(operation, Buffer.from(JSON.stringify({ model: 'm', ...body })))
    const words: string[] = []
    expect(() => search(textsOfCall(operation, ask), words)).toThrow(/sensitive_words_detected/)
    expect(words).toEqual(['secret'])
  })

  it('a request without refused words passes', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'sec ret' }] }
    const ask = readAsk('chat', Buffer.from(JSON.stringify(body)))
    expect(() => search(textsOfCall('chat', ask), [])).not.toThrow()
  })
})

describe('texts of a task submission', () => {
  const picture = Buffer.alloc(400, 'secret picture').toString('base64')

  it('include every text a person wrote, at any depth', () => {
    const body = {
      prompt: 'a',
      metadata: { multi_prompt: [{ prompt: 'b' }] },
      tags: 'c',
      camera: { type: 'd' },
    }
    expect(textsIn(body)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('do not include files and addresses', () => {
    const body = {
      image: picture,
      images: [`data:image/png;base64,${picture}`, 'https://host.example/secret.png'],
      input: { img_url: picture },
    }
    expect(textsIn(body)).toEqual([])
  })

  it('include a prompt that looks like a file or an address', () => {
    const prompts = ['secret'.repeat(100), 'https://secret', 'data:,secret']
    for (const prompt of prompts) expect(textsIn({ prompt })).toEqual([prompt])
  })
})

it('a document that cannot have a refused word is not read for it, however the word could be written', () => {
  const filter = wordFilter(['Secret key', 'a/b'], unreadable)
  const mayBeIn = (json: string) => filter?.mayBeIn(Buffer.from(json))
  expect(mayBeIn('{"messages":[{"role":"user","content":"nothing here"}]}')).toBe(false)
  for (const text of ['my sEcret KEY', 'A/B', 'secret \u212aey', 'ünrelated']) {
    expect(mayBeIn(JSON.stringify({ text })), text).toBe(true)
    expect(mayBeIn(JSON.stringify({ [text]: 1 })), text).toBe(true)
  }
  for (const json of ['{"a":"\\u0073ecret key"}', '{"a":"a\\/b"}', '{"a":"line\\nbreak"}'])
    expect(mayBeIn(json), json).toBe(true)
})

it('a list with patterns, letters beyond ASCII, quotes or many words is searched in the texts', () => {
  const harmless = Buffer.from('{"a":"b"}')
  const lists = [['regex:x'], ['é'], ['"'], ['\\'], Array.from({ length: 9 }, (_, at) => `word${at}`)]
  for (const lines of lists) expect(wordFilter(lines, unreadable)?.mayBeIn(harmless), lines[0]).toBe(true)
})
