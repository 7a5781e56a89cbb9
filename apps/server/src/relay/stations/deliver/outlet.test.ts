import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '@tollgate/kit/clock'
import { describe, expect, it, vi } from 'vitest'
import { silentCall } from '../../../../test/relay/parts.ts'
import { Call } from '../../call.ts'
import { endStream, writeFrames } from './outlet.ts'

const frames = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text))

describe('outlet', () => {
  it('writes the frames of one event loop turn in one write, in order', async () => {
    const call = silentCall()
    const write = vi.spyOn(call.response, 'write')
    writeFrames(call, frames('a', 'b'))
    writeFrames(call, frames('c'))
    expect(write).not.toHaveBeenCalled()
    await turn()
    writeFrames(call, frames('d'))
    await turn()
    expect(write.mock.calls.map(([chunk]) => String(chunk))).toEqual(['abc', 'd'])
  })

  it('writes the remaining frames before the end, and nothing after it', async () => {
    const body = await answered((call) => {
      writeFrames(call, frames('a'))
      endStream(call, frames('b'))
      writeFrames(call, [])
    })
    expect(body).toBe('ab')
  })
})

/** The body that a client receives when the server writes with `answer`. */
async function answered(answer: (call: Call) => void): Promise<string> {
  const server = createServer((request, response) =>
    answer(
      new Call({ request, response, clock: systemClock, isCrossOrigin: true, dialect: silentCall().dialect }),
    ),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
  const { port } = server.address() as AddressInfo
  const body = await new Promise<string>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () => resolve(text)).once('error', reject)
    }).once('error', reject)
  })
  server.close()
  return body
}
