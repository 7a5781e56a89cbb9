import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { AnswerDecoder, CodedAnswerError } from './answer-decoder.ts'

const BYTES = 1024 * 1024
const headers = { 'content-encoding': 'gzip' }

function reader() {
  return { data: vi.fn(), end: vi.fn(), fail: vi.fn(), full: vi.fn(), drain: vi.fn() }
}

describe('a decoder of coded answers', () => {
  it('is one of at most 64, and closing one makes room', () => {
    const decoders = Array.from({ length: 64 }, () => new AnswerDecoder(headers, reader()))
    expect(() => new AnswerDecoder(headers, reader())).toThrow(new CodedAnswerError('coded_answers_too_many'))
    for (const decoder of decoders.slice(0, 2)) {
      decoder.close()
      decoder.close()
    }
    decoders.push(new AnswerDecoder(headers, reader()), new AnswerDecoder(headers, reader()))
    expect(() => new AnswerDecoder(headers, reader())).toThrow(CodedAnswerError)
    for (const decoder of decoders) decoder.close()
  })

  it('hands on nothing more than it may hold while its reader is paused', async () => {
    const answer = reader()
    const decoder = new AnswerDecoder(headers, answer)
    decoder.pause()
    decoder.write(gzipSync(randomBytes(BYTES)))
    await expect.poll(() => answer.full.mock.calls.length).toBeGreaterThan(0)
    expect(answer.data).not.toHaveBeenCalled()
    decoder.resume()
    decoder.end()
    await expect.poll(() => answer.end.mock.calls.length).toBe(1)
    const bytes = answer.data.mock.calls.reduce((sum, [chunk]) => sum + chunk.length, 0)
    expect(bytes).toBe(BYTES)
    decoder.close()
  })
})
