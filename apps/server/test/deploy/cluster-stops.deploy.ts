import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { MODEL, operate, relayCall } from '../nodes/operator.ts'
import { type Program, runCommand, startProgram } from '../nodes/program.ts'
import { ROOT, isHere } from './here.ts'
import { type ReverseProxy, freePort, startProxy } from './proxies.ts'
import { type SteppingUpstream, startSteppingUpstream } from './stepping-upstream.ts'

/** The two gateways of `compose.cluster.yml` behind its Caddy, stopped one after the other as an update does. */

const STOPS = 4
/** At each stop. */
const CALLS_MIN = 4_000
const STREAMS = 40
const CALLERS = 12
const postgres = (await answeringServers()).find(({ label }) => label === 'PostgreSQL')

/** Times of the shipped file, as text for the environment. */
function readTimes(): Record<string, string> {
  const { services } = parse(readFileSync(join(ROOT, 'deploy/compose.cluster.yml'), 'utf8'), { merge: true })
  const { DRAIN_SECONDS, DRAIN_NOTICE_SECONDS } = services['gateway-1'].environment
  return { DRAIN_SECONDS: String(DRAIN_SECONDS), DRAIN_NOTICE_SECONDS: String(DRAIN_NOTICE_SECONDS) }
}

describe.skipIf(!postgres || !isHere('caddy'))('the shipped cluster', () => {
  let folder: string
  let database: TestDatabase
  let upstream: SteppingUpstream
  let environment: Record<string, string>
  let proxy: ReverseProxy
  let key: string
  const ports: number[] = []
  const nodes: Program[] = []

  const startNode = (index: number) =>
    startProgram(folder, {
      ...environment,
      PORT: String(ports[index]),
      SQLITE_PATH: join(`gateway-${index}`, 'tollgate.db'),
    })

  beforeAll(async () => {
    if (!postgres) return
    folder = mkdtempSync(join(tmpdir(), 'tollgate-stops-'))
    database = await postgres.createDatabase()
    upstream = await startSteppingUpstream()
    environment = { SQL_DSN: database.dsn, TRUSTED_PROXIES: '127.0.0.1', ...readTimes() }
    for (let index = 0; index < 2; index++) {
      ports.push(await freePort())
      nodes.push(await startNode(index))
    }
    key = await (await operate(nodes[0]?.address ?? '', upstream)).newToken('everywhere')
    proxy = await startProxy('caddy', { folder, nodes: ports })
  })
  afterAll(async () => {
    for (const { child, ended } of nodes) {
      child.kill('SIGKILL')
      await ended
    }
    await proxy?.stop()
    await upstream?.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test(`${STOPS} graceful stops lose none of ${CALLS_MIN} calls and ${STREAMS} streams`, async () => {
    for (const { address } of nodes)
      await expect.poll(async () => (await relayCall({ address, key })).status).toBe(200)
    let calls = 0
    for (let stop = 0; stop < STOPS; stop++) {
      const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(proxy.address, key)))
      await expect.poll(() => upstream.open).toBe(STREAMS)
      const lost: string[] = []
      const load = { calls: 0, isOver: false }
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!load.isOver) {
          const outcome = await relayCall({ address: proxy.address, key }).then(
            ({ status, text }) => (status === 200 ? '' : `${status} ${text.slice(0, 200)}`),
            String,
          )
          load.calls++
          if (outcome !== '') lost.push(outcome)
        }
      })
      const index = stop % 2
      const node = nodes[index]
      if (!node) throw new Error('both gateways run')
      node.child.kill('SIGTERM')
      await sleep(1_000)
      upstream.step('still here')
      // The streams end only when the port is closed, so that they are open during the whole notice.
      await expect.poll(() => isRefused(ports[index] ?? 0), { timeout: 60_000 }).toBe(true)
      upstream.finish()
      await Promise.all(streams.map(({ ended }) => ended))
      expect(await node.ended).toBe(0)
      nodes[index] = await startNode(index)
      while (load.calls < CALLS_MIN) await sleep(50)
      // The proxy uses the new gateway before the other one stops.
      await sleep(5_000)
      load.isOver = true
      await Promise.all(callers)
      calls += load.calls
      expect(lost.slice(0, 5)).toEqual([])
      for (const { text } of streams) {
        expect(text()).toContain('still here')
        expect(text()).toContain('[DONE]')
      }
    }
    process.stdout.write(`${STOPS} stops, ${calls} calls and ${STOPS * STREAMS} streams, 0 lost\n`)
    expect(calls).toBeGreaterThanOrEqual(STOPS * CALLS_MIN)
    const { code, printed } = await runCommand(folder, { verb: 'audit', environment })
    expect(code, printed).toBe(0)
  }, 600_000)
})

async function openStream(address: string, key: string) {
  const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'hello' }] })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = request(`${address}/v1/chat/completions`, { method: 'POST', agent: false, headers })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  let text = ''
  response?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<void>((resolve, reject) => {
    response?.once('error', reject)
    response?.once('end', () => (response.complete ? resolve() : reject(new Error('cut off'))))
  })
  ended.catch(() => undefined)
  return { ended, text: () => text }
}

async function isRefused(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    () => false,
    () => true,
  )
}
