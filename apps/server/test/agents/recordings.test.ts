import { request as httpRequest } from 'node:http'
import process from 'node:process'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AgentGateway, openAgentGateway, upstreams } from './gateway.ts'
import { billingFaults } from './judge-billing.ts'
import { type RecordedRequest, readRecordings, type Recording } from './recording.ts'
import { openVendor, type Vendor, type VendorKind } from './vendor/open-vendor.ts'
import { isTask, stepOf, task } from './vendor/task.ts'

/**
 * Replays the recorded requests of coding agents against every kind of vendor. `npm run test:agents` runs the
 * agents themselves, and `-- --record` records them again.
 */

const recordings = readRecordings()
const VENDORS = ['openai', 'anthropic', 'gemini', 'strings', 'template'] as const

/** An agent that was recorded in several wire formats counts once. */
test('enough coding agents are recorded', () => {
  process.stdout.write(
    `replayed: ${recordings.map(({ program, version }) => `${program} ${version}`).join(', ')}\n`,
  )
  expect(new Set(recordings.map(({ program }) => program.replace(/-.*/, ''))).size).toBeGreaterThanOrEqual(5)
})

describe.each(VENDORS)('before the %s vendor', (kind) => {
  let vendor: Vendor
  let gateway: AgentGateway
  beforeAll(async () => {
    vendor = await openVendor(kind, { folder: '/work/project' })
    gateway = await openAgentGateway(kind, { vendorUrl: vendor.url })
  })
  afterAll(async () => {
    await gateway.close()
    await vendor.close()
  })

  test.for(
    recordings.map((recording) => ({ ...recording, name: `${recording.program} ${recording.version}` })),
  )('the requests of $name are accepted and complete the task', async (recording) => {
    const before = vendor.book.length
    for (const request of recording.requests) {
      const answer = await replay(gateway, { recording, request, kind })
      expect(answer.status, answer.text.slice(0, 500)).toBe(200)
    }
    const book = vendor.book.slice(before)
    const served = book.flatMap(({ request, status }) => (request && status === 200 ? [request] : []))
    const steps = served.filter(isTask).map((request) => stepOf(request))
    expect(steps).toEqual(['reads', 'command', 'write', 'end'])
    const results = served.at(-1)?.results.join('\n') ?? ''
    for (const mark of task.found) expect(results).toContain(mark)
  })

  test('every replayed call is charged as the vendor bills it', async () => {
    const rows = await gateway.rows()
    expect(rows.length).toBeGreaterThan(0)
    expect(billingFaults({ book: vendor.book, rows, spent: await gateway.spent() })).toEqual([])
  })
})

interface ReplayInput {
  readonly recording: Recording
  readonly request: RecordedRequest
  readonly kind: VendorKind
}

/** Sends the recorded bytes with the vendor's model name. */
async function replay(
  { address, key }: AgentGateway,
  { recording, request, kind }: ReplayInput,
): Promise<{ status: number; text: string }> {
  const { model } = upstreams[kind]
  const path = request.path.replace(/\/models\/[^:]+:/, `/models/${model}:`)
  const body = JSON.stringify('model' in request.body ? { ...request.body, model } : request.body)
  const headers = { ...request.headers, ...keyHeader(recording.dialect, key) }
  const url = new URL(path, await address())
  return new Promise((resolve, reject) => {
    const call = httpRequest(url, { method: 'POST', headers, agent: false })
    call.on('error', reject)
    call.on('response', (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    call.end(body)
  })
}

function keyHeader(dialect: Recording['dialect'], key: string): Record<string, string> {
  if (dialect === 'messages') return { 'x-api-key': key }
  return dialect === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}
