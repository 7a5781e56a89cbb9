import { expect, it } from 'vitest'
import type { Endpoint, Outgoing } from '../provider.ts'
import { limitStops } from './stop-limits.ts'

const stops = Array.from({ length: 20 }, (_, at) => `stop ${at}`)

function outgoing(operation: Outgoing['operation'], body: Outgoing['body'], isConverted = true): Outgoing {
  return { operation, model: 'm', isStream: false, query: new URLSearchParams(), isConverted, body }
}

it.each<[string, Endpoint['dialect'], Outgoing['operation'], object, number]>([
  ['openai', 'openai', 'chat', { stop: stops }, 4],
  ['zhipu', 'openai', 'chat', { stop: stops }, 1],
  ['moonshot', 'openai', 'chat', { stop: stops }, 5],
  ['deepseek', 'openai', 'chat', { stop: stops }, 16],
  ['gemini', 'gemini', 'generate', { generationConfig: { stopSequences: stops, topP: 1 } }, 5],
])('%s gets as many stop sequences as it takes', (id, dialect, operation, body, count) => {
  const sent = limitStops(outgoing(operation, { ...body }), { provider: { id }, dialect })
  expect(JSON.stringify(sent.body).match(/stop \d/g)).toHaveLength(count)
  expect(sent.dropped).toEqual(['stop'])
  expect(sent.repairs).toEqual(['shortened_stops'])
})

it.each<[Outgoing]>([
  [outgoing('chat', { stop: stops }, false)],
  [outgoing('chat', { stop: ['a'] })],
  [outgoing('chat', { stop: 'a' })],
  [outgoing('messages', { stop_sequences: stops })],
])('%# other requests stay the same', (request) => {
  expect(limitStops(request, { provider: { id: 'openai' }, dialect: 'openai' })).toBe(request)
})
