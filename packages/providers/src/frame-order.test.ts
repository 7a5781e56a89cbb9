import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { violations } from '@tollgate/dialects/canonical/check-events'
import type { Frame } from '@tollgate/dialects/canonical/codec'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import { codecOf, type UpstreamOperation } from '@tollgate/dialects/conversations'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { providers } from './index.ts'

/**
 * Feeds the frames of each fixture in random order, repeated or left out, and checks that the events which
 * the reader returns are still well formed.
 */

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
const OPERATIONS = ['chat', 'messages', 'responses', 'generate', 'own'] as const satisfies UpstreamOperation[]

const streams = providers.flatMap(({ id, endpoints }) =>
  OPERATIONS.flatMap((operation) => {
    const bytes = bytesOf(`${id}/${operation}`)
    return (endpoints[operation] ?? []).slice(0, 1).flatMap((endpoint) => {
      const codec = codecOf(operation, endpoint.codec)
      return bytes === undefined || codec === undefined
        ? []
        : [{ name: `${id} ${operation}`, endpoint, codec, bytes }]
    })
  }),
)

it('there are fixtures for more than 40 streams', () => {
  expect(streams.length).toBeGreaterThan(40)
})

it.each(streams)('$name stays well formed with frames out of order', ({ endpoint, codec, bytes }) => {
  const framing = endpoint.openFrames?.() ?? new FrameReader()
  const frames: readonly Frame[] = [...framing.push(bytes), ...framing.end()]
  const disordered = fc.array(fc.nat({ max: frames.length - 1 }), { maxLength: frames.length * 2 })
  fc.assert(
    fc.property(disordered, (order) => {
      const reader = codec.openReader(endpoint.readUsage)
      const received = order.flatMap((index) => [
        ...reader.push(frames[index] ?? { event: undefined, data: '' }),
      ])
      const wrong = violations([...received, ...reader.end()])
      expect(wrong.filter((words) => !words.startsWith('no end'))).toEqual([])
    }),
    { numRuns: 60, seed: 7 },
  )
})

function bytesOf(name: string): Buffer | undefined {
  const text = ['sse', 'ndjson'].map((kind) => `${FIXTURES}${name}.${kind}`).find(existsSync)
  if (text !== undefined) return readFileSync(text)
  const hex = `${FIXTURES}${name}.hex`
  return existsSync(hex) ? Buffer.from(readFileSync(hex, 'utf8').replaceAll(/\s/g, ''), 'hex') : undefined
}
