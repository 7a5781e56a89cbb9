// A mock server for work on the console's appearance: `node apps/console/dev/mock-server.ts`. Any name and
// password sign in; `root…` and `admin…` get these roles. Created objects are kept until the process stops.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chatStream } from './mock-chat.ts'
import type { MockAnswer, MockSite } from './mock-parts.ts'
import { mockRoutes } from './mock-routes.ts'

const { values: flags } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    /** Behaves like a site before its first-run setup. */
    fresh: { type: 'boolean', default: false },
    /** Returns every list empty. */
    empty: { type: 'boolean', default: false },
    /** Fails every request for a list. */
    fail: { type: 'boolean', default: false },
    /** Delays every response by 1.5 seconds. */
    slow: { type: 'boolean', default: false },
  },
})

const SLOW_MS = 1500
const site: MockSite = {
  isSetUp: !flags.fresh,
  isEmpty: flags.empty,
  isFailing: flags.fail,
  roleOfReader: 100,
}
const routes = mockRoutes(site)

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    response.destroy()
  })
}).listen(Number(flags.port), '127.0.0.1', () => {
  process.stdout.write(`Mock server at http://127.0.0.1:${flags.port}\n`)
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://mock')
  if (flags.slow) await wait(SLOW_MS)
  if (url.pathname.startsWith('/pg/') || url.pathname.startsWith('/v1/')) return chatStream(response)
  const path = url.pathname.replace(/\/$/, '')
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path))
  const body = await readBody(request)
  send(response, route?.answer({ path, query: url.searchParams, body }) ?? { status: 404, body: {} })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const parsed: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

function send(response: ServerResponse, { status = 200, body }: MockAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
