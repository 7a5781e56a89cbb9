import { expect, test } from 'vitest'
import { noUsage } from '../usage.ts'
import { conversations, type ConversationOperation } from '../conversations.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { openTap } from '../pair/open-tap.ts'
import type { PairRules } from '../pair/pair.ts'
import { LongStrings } from './long-strings.ts'

const KIB = 1024

/** Sets strings aside and puts them back, in pieces of this size. */
function passAside(text: string, size: number) {
  const strings = new LongStrings()
  const bytes = Buffer.from(text)
  const kept: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size)
    for (const piece of strings.push(bytes.subarray(at, at + size))) kept.push(Buffer.from(piece))
  kept.push(strings.endLine())
  const short = Buffer.concat(kept)
  return { short, strings, whole: Buffer.concat([...strings.restore(short)]).toString() }
}

const LONG: Readonly<Record<string, string>> = {
  'plain letters': 'y'.repeat(300 * KIB),
  'base64 of a picture': `data:image/png;base64,${'iVBORw0KGgo'.repeat(30 * KIB)}==`,
  escapes: 'a\\b"c\n\u0001é'.repeat(30 * KIB),
  'text of other scripts': '漢字🙂ж'.repeat(80 * KIB),
  'backslashes in a row': '\\'.repeat(200 * KIB),
  'surrogates that are escaped': '🙂'.repeat(40 * KIB),
}

test.each(Object.entries(LONG))(
  'a long string of %s is set aside and put back, however it is cut',
  (name, long) => {
    const object = { id: 'x', content: long, list: ['a', long.slice(0, 70 * KIB), 1], usage: { a: 1 } }
    const plain = JSON.stringify(object)
    const text = name.startsWith('surrogates') ? plain.replaceAll('🙂', '\\ud83d\\ude42') : plain
    for (const size of [997, 64 * KIB, text.length]) {
      const { short, whole } = passAside(text, size)
      expect(whole === text).toBe(true)
      const read: unknown = JSON.parse(short.toString())
      expect(read).toMatchObject({ id: 'x', list: ['a', expect.any(String), 1], usage: { a: 1 } })
      expect(short.length).toBeLessThan(text.length / 2)
      // What is written of it anew is the same string for whoever parses it.
      const strings = passAside(text, size).strings
      const written = Buffer.from(
        JSON.stringify({ again: JSON.parse(passAside(text, size).short.toString()) }),
      )
      expect(strings.isEmpty).toBe(short.length === text.length)
      expect(written.length).toBeLessThan(text.length + 100)
    }
  },
)

test('strings that are read as JSON, or shown to operators, stay in their place', () => {
  for (const name of ['arguments', 'partial_json', 'input', 'message']) {
    const text = JSON.stringify({ [name]: 'y'.repeat(300 * KIB) })
    expect(passAside(text, 4096).short.toString() === text).toBe(true)
  }
})

test('the tokens of texts that were set aside count, and those of data do not', () => {
  const words = 'some words '.repeat(20 * KIB)
  expect(passAside(JSON.stringify({ content: words }), 4096).strings.tokens).toBeGreaterThan(20 * KIB)
  expect(passAside(JSON.stringify({ data: words }), 4096).strings.tokens).toBe(0)
})

test('more than 64 MiB of one string are put back into their place, so the limits of readers hold', () => {
  const text = `{"content":"${'y'.repeat(66 * KIB * KIB)}"}`
  const { short, whole } = passAside(text, 256 * KIB)
  expect(whole === text).toBe(true)
  expect(short.length).toBe(text.length)
})

function rulesFor(asked: ConversationOperation, endpoint: ConversationOperation): PairRules {
  return {
    asked,
    caller: conversations[asked].caller,
    endpoint,
    readUsage: endpoint === 'chat' ? readOpenAiUsage : () => ({ ...noUsage, inputText: 3, outputText: 4 }),
    context: { model: 'm', fallbackId: 'f', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: false },
  }
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

function writeStream(text: string): Buffer {
  return Buffer.from(
    `${chunk({ content: 'a ' })}${chunk({ content: text })}${chunk({}, 'stop')}data: [DONE]\n\n`,
  )
}

function hideCounts(text: string): string {
  return text.replaceAll(/"(?:\w*_tokens|\w*TokenCount)":\d+/g, '')
}

test.each<ConversationOperation>(['messages', 'responses', 'generate'])(
  'a frame of a megabyte is converted for a caller of %s as a short one is, however it is cut',
  (asked) => {
    const content = `first "quoted"\n${'P'.repeat(KIB * KIB)} last`
    const convert = (text: string, size: number) => {
      const tap = openTap(rulesFor(asked, 'chat'))
      const bytes = writeStream(text)
      const output: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size)
        for (const frame of tap.push(bytes.subarray(at, at + size))) output.push(Buffer.from(frame))
      output.push(...tap.end())
      return { text: Buffer.concat(output).toString(), reading: tap.reading }
    }
    const short = convert('SHORT', 4096)
    for (const size of [4096, 100_003, 4 * KIB * KIB]) {
      const long = convert(content, size)
      const expected = short.text.replaceAll('SHORT', JSON.stringify(content).slice(1, -1))
      // Usage is counted by the gateway here, so its figures differ.
      expect(hideCounts(long.text) === hideCounts(expected)).toBe(true)
      expect(long.reading.isComplete).toBe(true)
      expect(long.reading.outputTokensCounted).toBeGreaterThan(100_000)
    }
  },
)
