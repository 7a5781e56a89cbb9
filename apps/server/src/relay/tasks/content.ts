import { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { problem } from '@tollgate/problems/problem'
import { findOwnTask } from '@tollgate/store/operations/tasks'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { AtOnce } from './at-once.ts'
import { type Content, type ContentApp, openContent } from './open-content.ts'

const BYTES_MAX = 4 * 1024 * 1024 * 1024
/** Each download keeps a connection open on both sides for as long as its reader takes. */
const AT_ONCE_MAX = 64

/**
 * Streams the result of a task: from its upstream with the channel's key, or from the address the upstream
 * reported.
 */
export class ContentProxy {
  readonly #app: ContentApp & Pick<App, 'limits'>
  readonly #downloads = new AtOnce(AT_ONCE_MAX)

  constructor(app: ContentApp & Pick<App, 'limits'>) {
    this.#app = app
  }

  async serve(call: Call, task: Parameters<typeof findOwnTask>[1]): Promise<void> {
    const row = await findOwnTask(this.#app.db, task)
    if (row === undefined) throw problem('task_not_found')
    if (row.status !== 'SUCCESS') throw problem('task_status_not_success')
    await this.#downloads.run(async () => {
      await sendContent(call, await openContent(call, row, this.#app), this.#app.limits.callerIdleMs)
    })
  }
}

/** Content types that a browser may play; any other type is sent as a plain download. */
const SHOWN = /^video\/[\w.-]{1,64}$/
const PASSED = ['content-length', 'content-range', 'accept-ranges']

/**
 * Streams content to the caller. A caller that stops reading is cut off after `callerIdleMs`, because its download
 * takes one of a fixed number of places.
 */
export async function sendContent(
  call: Pick<Call, 'id' | 'isGone' | 'response'>,
  { status, headers, body }: Content,
  callerIdleMs: number,
): Promise<void> {
  const { response } = call
  if (call.isGone) {
    body.on('error', () => undefined).destroy()
    return
  }
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  const passed = PASSED.flatMap((name) => (headers[name] === undefined ? [] : [name, String(headers[name])]))
  response.writeHead(status, [
    ...passed,
    'content-type',
    SHOWN.test(type) ? type : 'application/octet-stream',
    'x-content-type-options',
    'nosniff',
    'content-security-policy',
    "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy',
    'cross-origin',
    'cache-control',
    'private, max-age=3600',
    'x-request-id',
    call.id,
  ])
  // After the headers have been sent, content that ends too early can only be cut off; `pipeline` closes both
  // sides.
  if (response instanceof ServerResponse) response.setTimeout(callerIdleMs, () => response.destroy())
  await pipeline(body, bounded, response).catch(() => undefined)
}

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > BYTES_MAX) throw problem('answer_too_large', { limit: BYTES_MAX })
    yield piece
  }
}
