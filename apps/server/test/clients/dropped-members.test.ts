import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { messageStreamWith, messageWith } from '../relay/messages-upstream.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'

/** Request members that the gateway drops for a provider are named to the caller and to the operator. */

let harness: RelayHarness
let messages: ScriptedUpstream
let bearer: string

const MODEL = 'claude-haiku-4-5-20251001'

beforeAll(async () => {
  harness = await openRelayHarness()
  messages = await openScriptedUpstream()
  await harness.addChannel(messages.url, { type: 14, models: MODEL })
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  await harness.close()
  await messages.close()
})

const asked = (more: object) => ({ model: MODEL, messages: [{ role: 'user', content: 'hi' }], ...more })

async function lastOther(): Promise<unknown> {
  await harness.quiet()
  return JSON.parse((await harness.logs()).at(-1)?.other ?? '{}')
}

describe('dropped members', () => {
  test('dropped members are named in the response header and in the log row', async () => {
    messages.respond = messageWith()
    const { headers } = await harness.send({ bearer, body: asked({ seed: 1, verbosity: 'low' }) })
    expect(headers['x-tollgate-dropped']).toBe('seed, verbosity')
    expect(headers['access-control-expose-headers']).toContain('x-tollgate-dropped')
    expect(await lastOther()).toMatchObject({ dropped: ['seed', 'verbosity'] })
  })

  test('dropped members of a stream are named in the response header and in the log row', async () => {
    messages.respond = messageStreamWith([{ type: 'text', text: 'hello' }])
    const { headers } = await harness.send({ bearer, body: asked({ seed: 1, stream: true }) })
    expect(headers['x-tollgate-dropped']).toBe('seed')
    expect(await lastOther()).toMatchObject({ dropped: ['seed'] })
  })

  test('without dropped members there is no header and no log member', async () => {
    messages.respond = messageWith()
    const { headers } = await harness.send({ bearer, body: asked({ temperature: 0.5 }) })
    expect(headers).not.toHaveProperty('x-tollgate-dropped')
    expect(await lastOther()).not.toHaveProperty('dropped')
  })
})
