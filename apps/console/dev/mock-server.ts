// A stand-in for the server while only the look of the console matters: `node apps/console/dev/mock-server.ts`.
// Any name and password sign in; `root…`, `admin…` get their role. It keeps what is created until it stops.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chatStream } from './mock-chat.ts'
import type { Answer, MockSite } from './mock-parts.ts'
import { mockRoutes } from './mock-routes.ts'

const { values: flags } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    /** Not set up yet. */
    fresh: { type: 'boolean', default: false },
    /** Every list is empty. */
    empty: { type: 'boolean', default: false },
    /** Every list fails. */
    fail: { type: 'boolean', default: false },
    /** Every answer takes a second and a half. */
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

function send(response: ServerResponse, { status = 200, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
