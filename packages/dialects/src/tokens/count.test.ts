import { describe, expect, it } from 'vitest'
import { readAsk } from '../ask.ts'
import type { OpenAiOperation } from '../openai/operation.ts'
import { countInput, countInputTokens } from './count.ts'
import { countExactly, countInputExactly } from './exact.ts'

function ask(body: object, operation: OpenAiOperation = 'chat') {
  return readAsk(operation, Buffer.from(JSON.stringify({ model: 'gpt-4o', ...body })))
}

function count(body: object, operation: OpenAiOperation = 'chat'): number {
  return countInputTokens(operation, ask(body, operation))
}

const message = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const tool = (name: string) => ({
  type: 'function',
  function: {
    name,
    description: 'finds a thing',
    parameters: { type: 'object', properties: { q: { type: 'string' } } },
  },
})

describe('countInput', () => {
  it('counts a short message within a few tokens of the vendor’s count', () => {
    expect(Math.abs(count(message('Say hello to the world in three words.')) - 16)).toBeLessThanOrEqual(3)
  })

  it('counts every tool, not only the last', () => {
    const one = count({ ...message('hi'), tools: [tool('a')] })
    const three = count({ ...message('hi'), tools: [tool('a'), tool('b'), tool('c')] })
    expect(three - one).toBeGreaterThan(1.8 * (one - count(message('hi'))))
  })

  it('counts text and tool calls of earlier assistant turns, and parts of unknown types', () => {
    const before = count(message('hi'))
    const calls = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{"q":"x"}' } }],
    }
    expect(count({ messages: [{ role: 'user', content: 'hi' }, calls] })).toBeGreaterThan(before + 10)
    expect(count(message([{ type: 'novelty', words: 'a long text nobody has heard of' }]))).toBeGreaterThan(
      before + 4,
    )
  })

  it('counts token numbers as one token each', () => {
    expect(count({ input: [1, 2, 3] }, 'embeddings')).toBe(3)
    expect(count({ prompt: [[1, 2], [3]] }, 'completions')).toBe(3)
    expect(count({ input: ['one', 'two'] }, 'embeddings')).toBeGreaterThan(1)
  })

  it.each([
    ['low detail', 'gpt-4o', { url: 'https://example.com/a.png', detail: 'low' }, 85, 85],
    ['unknown size', 'gpt-4o', { url: 'https://example.com/a.png' }, 765, 1445],
    ['a known size', 'gpt-4o', { url: png(512, 512) }, 255, 255],
    ['a tall strip', 'gpt-4o', { url: png(1000, 8000) }, 765, 765],
    ['the small model', 'gpt-4o-mini', { url: png(512, 512) }, 8500, 8500],
    ['patches', 'gpt-4.1-mini', { url: png(64, 64) }, 7, 7],
    ['another vendor', 'qwen-vl', { url: png(512, 512) }, 520, 4096],
  ])('counts an image by the published rules: %s', (_name, model, image, likely, max) => {
    const counted = countInput('chat', ask({ model, ...message([{ type: 'image_url', image_url: image }]) }))
    expect(counted).toMatchObject({ mediaTokens: likely, mediaTokensMax: max })
  })

  it('counts audio and files by their size, without decoding them', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'A'.repeat(640_000), format: 'wav' } }
    expect(countInput('chat', ask(message([audio])))).toMatchObject({
      mediaTokens: 280,
      mediaTokensMax: 1680,
    })
    const file = { type: 'file', file: { file_data: 'A'.repeat(80_000) } }
    expect(countInput('chat', ask(message([file])))).toMatchObject({
      mediaTokens: 5000,
      mediaTokensMax: 15_000,
    })
  })
})

describe('countExactly', () => {
  it('uses the vocabulary of the model', async () => {
    const text = '今天天气很好，我们去公园散步吧。'
    expect(await countExactly(text, 'gpt-4o')).toBeLessThan(await countExactly(text, 'gpt-4'))
    expect(await countExactly('hello world', 'gpt-4o')).toBe(2)
  })

  it('counts special tokens in a text as ordinary text', async () => {
    expect(await countExactly('<|endoftext|>', 'gpt-4o')).toBeGreaterThan(1)
  })

  it('takes bounded time for long repetitions', async () => {
    expect(await countExactly('a'.repeat(1_000_000), 'gpt-4o')).toBeGreaterThan(50_000)
  })

  it('counts a request close to its estimate', async () => {
    const asked = ask(message('Explain in two sentences why the sea is salty, please. '.repeat(40)))
    const exact = await countInputExactly('chat', asked)
    expect(countInputTokens('chat', asked) / exact).toBeGreaterThan(0.85)
    expect(countInputTokens('chat', asked) / exact).toBeLessThan(1.15)
  })
})

/** Builds the first bytes of a PNG file of this size. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt32BE(0x89504e47, 0)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}
