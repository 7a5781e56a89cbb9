import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { ManualClock } from '@tollgate/kit/clock'
import { ChatStream, openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** Finished function calls of a Gemini caller's stream, which wait for the end of the answer. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
const clock = new ManualClock()

beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url, { type: 42, models: 'gpt-4o' })
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

const PATH = '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse'
const body = { contents: [{ parts: [{ text: 'x' }] }], tools: [{ functionDeclarations: [{ name: 'f' }] }] }

const call = (index: number, name: string) => ({
  choices: [
    {
      index: 0,
      delta: { tool_calls: [{ index, id: name, type: 'function', function: { name, arguments: '{}' } }] },
    },
  ],
})

test('do not wait longer than 30 seconds without a frame, and come once', async () => {
  const { promise: isSilent, resolve: goOn } = Promise.withResolvers<void>()
  upstream.respond = async (response) => {
    const stream = new ChatStream(response).say('I look.').frame(call(0, 'f')).frame(call(1, 'g'))
    await isSilent
    stream.finish('tool_calls').usage().done()
  }
  const steps: string[] = []
  const { text } = await harness.send({
    path: PATH,
    bearer,
    body,
    onText: (said) => {
      if (said.includes('"name":"f"')) {
        steps.push('the call was sent')
        goOn()
      } else if (said.includes('I look.') && steps.length === 0) {
        steps.push('the text was sent')
        silence()
      }
    },
  })
  expect(steps.slice(0, 2)).toEqual(['the text was sent', 'the call was sent'])
  expect(text.match(/"name":"f"/g)).toHaveLength(1)
  expect(text.match(/"name":"g"/g)).toHaveLength(1)
  expect(text).toMatch(/"name":"g"[^\n]*"finishReason":"STOP"/)
})

/** Half a minute passes; the upstream has sent everything before its pause by then. */
function silence(): void {
  const timer = setInterval(() => {
    clock.advance(31_000)
    harness.relay.tick()
    clearInterval(timer)
  }, 50)
}
