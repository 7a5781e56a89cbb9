import { problem } from '@tollgate/problems/problem'
import { expect, it } from 'vitest'
import { streamError } from './stream-error.ts'

it('does not mark the response as complete', () => {
  const frame = streamError({ problem: problem('stream_broken'), requestId: 'r1', language: 'en' }).toString()
  expect(frame).toMatch(/^data: \{"error":\{.*\(request id: r1\)".*\}\}\n\n$/)
  expect(frame).not.toContain('[DONE]')
})

it.each(['stream_broken', 'stream_idle'] as const)(
  '%s contains "try again later", which agents look for',
  (code) => {
    const frame = streamError({ problem: problem(code), requestId: 'r1', language: 'en' }).toString()
    expect(frame).toContain('try again later')
  },
)
