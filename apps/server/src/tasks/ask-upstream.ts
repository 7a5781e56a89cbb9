import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { writeForm } from '@tollgate/dialects/media/form'
import { randomToken } from '@tollgate/kit/ids'
import { invariant } from '@tollgate/kit/invariant'
import { joinUrl } from '@tollgate/providers/build/url'
import type { Draft } from '@tollgate/providers/override/draft'
import { withChanges } from '@tollgate/providers/override/override'
import type { TaskRequest, TaskUpstream } from '@tollgate/providers/tasks/upstream'
import type { RosterChannel } from '../books/books.ts'

export interface AskUpstream {
  readonly channel: RosterChannel
  readonly keyIndex: number
  readonly request: TaskRequest
  /** What the channel's override changes of the headers. */
  readonly headers?: Draft['headers']
  readonly timeoutMs: number
  readonly bytesMax: number
  readonly nowMs: number
}

/** One request to a channel that does work on its own time: to its address, with its key, and through its proxy. */
export function askUpstream(
  { channel, keyIndex, request, headers = {}, timeoutMs, bytesMax, nowMs }: AskUpstream,
  egress: Pick<Egress, 'exchange'>,
): Promise<ExchangeAnswer> {
  const { method } = request
  const url = joinUrl(channel.baseUrl, request.path)
  const { body, type } = bodyOf(request)
  return egress.exchange({
    method,
    url,
    headers: withChanges(
      {
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
        ...makerAt(channel).headers(channel.keys[keyIndex] ?? '', nowMs),
      },
      headers,
    ),
    ...(body !== undefined && { body }),
    timeoutMs,
    bytesMax,
    proxy: proxyAddress(channel.setting['proxy']),
  })
}

export function makerAt({ provider }: RosterChannel): TaskUpstream {
  invariant(provider.tasks !== undefined, 'only channels that take tasks are asked for them')
  return provider.tasks
}

function bodyOf({ body, files }: TaskRequest): {
  readonly body?: string | Buffer
  readonly type?: string
} {
  if (body === undefined) return {}
  if (files === undefined) return { body: JSON.stringify(body), type: 'application/json' }
  const boundary = `form-${randomToken()}`
  const form = Buffer.concat(writeForm({ boundary, parts: files }, body))
  return { body: form, type: `multipart/form-data; boundary=${boundary}` }
}
