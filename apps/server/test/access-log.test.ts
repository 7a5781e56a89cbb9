import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logTo } from '../src/app/logging.ts'
import { type TestServer, startTestServer } from './harness.ts'

interface AccessLine {
  readonly msg: string
  readonly path: string
  readonly status: number
}

function openLog() {
  const lines: AccessLine[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  return { lines, log: logTo(destination, 'info') }
}

const { lines, log } = openLog()
let gateway: TestServer
let consolePath: string
beforeAll(async () => {
  // Without pages, whether the console was built here or not.
  consolePath = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
  const environment = { ACCESS_LOG: 'true' }
  gateway = await startTestServer({ isInMemory: true, log, consolePath, environment })
})
afterAll(async () => {
  await gateway.close()
  await rm(consolePath, { recursive: true })
})

async function lineOf(path: string, init: RequestInit = {}): Promise<AccessLine | undefined> {
  const response = await fetch(gateway.address + path, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init.headers)), connection: 'close' },
  })
  await response.text()
  const [pathname = ''] = path.split('?', 1)
  const find = () => lines.find((line) => line.msg === 'request' && line.path === pathname)
  await expect.poll(find).toBeDefined()
  return find()
}

test.each([
  ['a call', '/v1/models?key=sk-abcdefghijkl', 401],
  ['the admin API', '/api/status?secret=1', 200],
  ['a page, which this program does not have', '/about?a=b', 503],
  ['a probe', '/livez', 200],
])('%s is a line without its query', async (_name, path, status) => {
  const line = await lineOf(path, { headers: { authorization: 'Bearer sk-abcdefghijkl' } })
  expect(line).toMatchObject({
    method: 'GET',
    status,
    isComplete: true,
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
    requestId: expect.stringMatching(/^\d{17}\w{8}$/),
    durationMs: expect.any(Number),
  })
  expect(JSON.stringify(line)).not.toMatch(/sk-|secret|a=b|key=/)
})

test('a gateway that was not told to has no such line', async () => {
  const quiet = openLog()
  const other = await startTestServer({ isInMemory: true, log: quiet.log })
  await (await fetch(`${other.address}/api/status`)).text()
  await other.close()
  expect(quiet.lines.filter(({ msg }) => msg === 'request')).toEqual([])
})
