import { describe, expect, it } from 'vitest'
import { conversations, type ConversationOperation } from '../conversations.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { openTap } from './open-tap.ts'

/** The usage of a stream that ends before its final usage event. */

const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 5, wantsUsage: true }

function tapFor(asked: ConversationOperation, endpoint: ConversationOperation) {
  const { caller } = conversations[asked]
  const { readUsage } = conversations[endpoint].upstream
  return openTap({ asked, caller, endpoint, readUsage, context })
}

/** Thinking tokens appear only in the reported usage, so no local count of the output could find them. */
function geminiFragment(place: number, rest: object = {}): string {
  const candidate = { content: { parts: [{ text: ` word${place}` }], role: 'model' }, index: 0, ...rest }
  const usageMetadata = { promptTokenCount: 27, candidatesTokenCount: 2 * place, thoughtsTokenCount: 300 }
  return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata, modelVersion: 'm', responseId: 'r' })}\n\n`
}

function chatChunk(place: number): string {
  const choices = [{ index: 0, delta: { content: ` word${place}` }, finish_reason: null }]
  const usage = { prompt_tokens: 27, completion_tokens: 300 + 2 * place }
  return `data: ${JSON.stringify({ id: 'c', choices, usage })}\n\n`
}

/**
 * Reads the last token counts in a stream of any dialect; Gemini reports thinking tokens beside the output.
 */
function countsSaid(stream: string) {
  const last = (name: RegExp) => Number([...stream.matchAll(name)].at(-1)?.[1] ?? 0)
  const output = last(/"(?:completion_tokens|output_tokens|candidatesTokenCount)":(\d+)/g)
  const thoughts = last(/"thoughtsTokenCount":(\d+)/g)
  return {
    input: last(/"(?:prompt_tokens|input_tokens|promptTokenCount)":(\d+)/g),
    output: output + thoughts,
  }
}

const callers = ['chat', 'messages', 'responses', 'generate'] as const
const begun = (fragment: (place: number) => string) =>
  Buffer.from(Array.from({ length: 50 }, (_, index) => fragment(index + 1)).join(''))

describe.each([
  ['generate', begun(geminiFragment)],
  ['chat', begun(chatChunk)],
] as const)('a %s stream with usage in every frame', (endpoint, frames) => {
  it.each(callers)('that breaks off is charged by the last usage, for a %s caller', (asked) => {
    const tap = tapFor(asked, endpoint)
    tap.push(frames)
    tap.end()
    const { usage, isComplete } = tap.reading
    expect(isComplete).toBe(false)
    expect([usage && inputTokens(usage), usage && outputTokens(usage)]).toEqual([27, 400])
  })

  it.each(callers)('that the gateway ends early reports the usage so far to a %s caller', (asked) => {
    const tap = tapFor(asked, endpoint)
    const said = Buffer.concat([...tap.push(frames), ...tap.cut()]).toString()
    const { usage } = tap.reading
    expect([usage && inputTokens(usage), usage && outputTokens(usage)]).toEqual([27, 400])
    expect(countsSaid(said)).toMatchObject({ input: 27, output: 400 })
  })
})

it('counts usage that Gemini reported before its last frame, which may omit it', () => {
  const tap = tapFor('generate', 'generate')
  for (let place = 1; place <= 50; place++) tap.push(Buffer.from(geminiFragment(place)))
  const last = { candidates: [{ content: { parts: [{ text: '' }] }, index: 0, finishReason: 'STOP' }] }
  tap.push(Buffer.from(`data: ${JSON.stringify(last)}\n\n`))
  tap.end()
  expect(tap.reading).toMatchObject({ isComplete: true, usage: { inputText: 27, outputText: 400 } })
})
