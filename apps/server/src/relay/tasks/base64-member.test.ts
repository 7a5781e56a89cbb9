import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { bytesOfMember } from './base64-member.ts'

const FILM = Buffer.from(Array.from({ length: 1000 }, (_, at) => (at * 7) % 256))

async function read(text: string, step: number): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(text.length / step) }, (_, at) =>
    Buffer.from(text.slice(at * step, (at + 1) * step)),
  )
  const decoded: Buffer[] = []
  for await (const piece of bytesOfMember(Readable.from(pieces), 'bytes')) decoded.push(piece)
  return Buffer.concat(decoded)
}

it.each([1, 2, 3, 5, 7, 64, 100_000])(
  'decodes the whole member from chunks of %d characters',
  async (step) => {
    const base64 = FILM.toString('base64').replaceAll('/', '\\/').replaceAll('=', '\\u003d')
    const text = JSON.stringify({ done: true, response: { videos: [{ bytes: 'X' }] } }).replace('X', base64)
    expect(await read(text, step)).toEqual(FILM)
  },
)

it.each(['{"done":true}', '{"bytes":"AAAA', `{"x":"${'-'.repeat(100_000)}","bytes":"AAAA"}`])(
  'rejects a response without a complete member: %#',
  async (text) => {
    await expect(read(text, 1_000)).rejects.toMatchObject({ code: 'task_content_unavailable' })
  },
)
