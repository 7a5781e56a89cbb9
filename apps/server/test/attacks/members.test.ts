import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { CHAT } from '../relay/send.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { chosen, reportAttacks } from './index.ts'

/** Repeats members to which no rule of the gateway applies, on channels that override them. */

const NAMES = ['temperature', 'top_p', 'seed', 'user', 'stop', 'metadata', 'x', 'presence_penalty'] as const
const TIMES = [2, 500, 990] as const
const PLACES = ['before', 'after', 'around'] as const

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let count = 0

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  const set = Object.fromEntries(NAMES.map((name) => [name, name === 'user' ? 'us' : 0.5]))
  await harness.addChannel(upstream.url, { param_override: JSON.stringify(set) })
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
})
afterAll(async () => {
  reportAttacks({ kind: 'members', count })
  await harness.close()
  await upstream.close()
})

function bodyOf(name: string, times: number, place: (typeof PLACES)[number]): string {
  const said = Array.from({ length: times }, (_, at) => `"${name}":${at}`).join(',')
  const chat = JSON.stringify(CHAT).slice(1, -1)
  if (place === 'before') return `{${said},${chat}}`
  if (place === 'after') return `{${chat},${said}}`
  const half = Math.floor(said.length / 2)
  const comma = said.indexOf(',', half)
  return `{${said.slice(0, comma)},${chat},${said.slice(comma + 1)}}`
}

const cases = NAMES.flatMap((name) =>
  TIMES.flatMap((times) => PLACES.map((place) => ({ name, times, place }))),
)

test("an upstream gets a repeated member at most once, with the operator's value", async () => {
  for (const { name, times, place } of chosen(cases)) {
    const { status, text } = await harness.send({ bearer, body: bodyOf(name, times, place) })
    expect(status, `${name} ${times} times ${place}: ${text.slice(0, 200)}`).toBe(200)
    const sent = upstream.received.at(-1)
    expect(sent?.text.split(`"${name}":`)).toHaveLength(2)
    expect(sent?.body[name]).toBe(name === 'user' ? 'us' : 0.5)
    count++
  }
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
