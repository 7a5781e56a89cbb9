import { Readable } from 'node:stream'
import type { Egress } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { parseObject, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { joinUrl } from '@tollgate/providers/define/url'
import type { TaskContent } from '@tollgate/providers/tasks/upstream'
import type { TaskRow } from '@tollgate/store/operations/tasks'
import type { RosterChannel } from '../../snapshots/snapshots.ts'
import { channelPlace, makerAt } from '../../tasks/ask-upstream.ts'
import { type Access, withAccess } from '../../tasks/channel-access.ts'
import { keyIndexOf, upstreamIdOf } from '../../tasks/step.ts'
import type { Call } from '../call.ts'
import { bytesOfMember } from './base64-member.ts'
import type { App } from '../app.ts'

const CONNECT_MS = 60_000
const REDIRECTS_MAX = 3
/** A download whose upstream sends nothing for this long is aborted. */
const IDLE_MS = 60_000

export type ContentApp = Pick<App, 'snapshots' | 'egress' | 'mediaEgress' | 'clock' | 'db' | 'accessTokens'>

/** The result of a task, as a stream. */
export interface Content {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** Rejects with `task_content_unavailable` when the content cannot be had. */
export async function openContent(call: Call, row: TaskRow, app: ContentApp): Promise<Content> {
  const { status, headers, body } = await answerFor(call, row, app)
  if (status !== 200 && status !== 206) throw problem('task_content_unavailable')
  return { status, headers, body }
}

/**
 * Unlike new-api: an address reported by an upstream is fetched like one given by a caller, only if it is
 * public and without the channel's key.
 */
function answerFor(call: Call, row: TaskRow, app: ContentApp): Promise<Answered> {
  const detail = parseObject(row.detail) ?? {}
  const url = textAt(detail, 'video_url')
  if (url !== undefined)
    return follow(call, { url, egress: app.mediaEgress, headers: {}, proxy: undefined }, app)
  return openOwn(call, ownOf(row, detail, app), app)
}

interface Source {
  readonly url: string
  readonly egress: Pick<Egress, 'dispatcher'>
  readonly headers: Readonly<Record<string, string>>
  readonly proxy: string | undefined
  /** When set, the request is a POST. */
  readonly body?: string
}

/** Content served by the upstream itself, and the channel to request it from. */
interface Own {
  readonly channel: RosterChannel
  readonly keyIndex: number
  readonly content: TaskContent
}

function ownOf(row: TaskRow, detail: JsonObject, { snapshots }: ContentApp): Own {
  const channel = snapshots.roster().channel(row.channel_id)
  if (channel === undefined || channel.provider.tasks?.platform !== row.platform)
    throw problem('task_content_unavailable')
  const keyIndex = keyIndexOf(row, channel.keys.length)
  const place = channelPlace(channel, keyIndex)
  const content = channel.provider.tasks.content?.(upstreamIdOf(row), detail, place)
  if (content === undefined) throw problem('task_content_unavailable')
  return { channel, keyIndex, content }
}

async function openOwn(call: Call, { channel, keyIndex, content }: Own, app: ContentApp): Promise<Answered> {
  const { request, base64In, mediaType } = content
  const source = (access: Access): Source => ({
    url: joinUrl(request.baseUrl ?? channel.baseUrl, request.path),
    egress: app.egress,
    headers: makerAt(channel).headers(access.key, app.clock.nowMs(), access.accessToken),
    proxy: proxyAddress(channel.settings.proxy),
    ...(request.method === 'POST' && { body: JSON.stringify(request.body ?? {}) }),
  })
  const ask = (access: Access) => follow(call, source(access), app)
  const opened = await withAccess({ channel, keyIndex, ask, statusOf: ({ status }) => status }, app).catch(
    unavailable,
  )
  if (base64In === undefined || opened.status !== 200) return opened
  return { ...opened, headers: { 'content-type': mediaType }, body: await decoded(opened.body, base64In) }
}

/** Waits for the first bytes, so that a response without content is reported as an error. */
async function decoded(answer: Readable, name: string): Promise<Readable> {
  const pieces = bytesOfMember(answer, name)
  const first = await pieces.next().catch(unavailable)
  if (first.done === true) throw problem('task_content_unavailable')
  return Readable.from(startingWith(first.value, pieces))
}

async function* startingWith(first: Buffer, others: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* others
}

/** Hides the host and the reason from the caller. */
function unavailable(cause: unknown): never {
  throw problem('task_content_unavailable', {}, { cause })
}

const REFUSED = 401

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

async function follow(call: Call, first: Source, { mediaEgress }: ContentApp): Promise<Answered> {
  let source = first
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const { statusCode, headers, body } = await ask(call, source).catch(unavailable)
    if (statusCode === 200 || statusCode === 206) return { status: statusCode, headers, body }
    body.on('error', () => undefined).destroy()
    if (statusCode === REFUSED) return { status: statusCode, headers, body }
    const next = statusCode >= 301 && statusCode <= 308 ? headers['location'] : undefined
    const target = typeof next === 'string' ? URL.parse(next, source.url)?.href : undefined
    if (target === undefined) break
    source = { url: target, egress: mediaEgress, headers: {}, proxy: undefined }
  }
  throw problem('task_content_unavailable')
}

const RANGE = /^bytes=\d{0,15}-\d{0,15}$/

function ask({ request }: Call, { url, egress, headers, proxy, body }: Source) {
  const { origin, pathname, search } = new URL(url)
  const { range } = request.headers
  return egress.dispatcher(origin, proxy).request({
    origin,
    method: body === undefined ? 'GET' : 'POST',
    path: pathname + search,
    headers: {
      accept: body === undefined ? 'video/*' : 'application/json',
      'accept-encoding': 'identity',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(body === undefined && range !== undefined && RANGE.test(range) && { range }),
    },
    ...(body !== undefined && { body }),
    headersTimeout: CONNECT_MS,
    bodyTimeout: IDLE_MS,
  })
}
