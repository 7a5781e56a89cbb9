import { randomToken } from '@tollgate/kit/ids'
import { type NoticesOptions, memoryNotices } from './memory-notices.ts'
import { EVERYTHING, type Notice, type Notices } from './notices.ts'
import type { RedisLink } from './redis-link.ts'

/**
 * Notices to every process over one channel. After any time without Redis each process is told {@link EVERYTHING}, since
 * it may have missed something, and tells the others the same when it had something to say meanwhile.
 */
export async function redisNotices(link: RedisLink, options: NoticesOptions): Promise<Notices> {
  const local = memoryNotices(options)
  const channel = `${link.prefix}notices`
  const self = randomToken(9)
  let wasUnheard = false

  /** Resolves in any case: whoever wrote something has written it. */
  async function send(notice: Notice): Promise<void> {
    try {
      await link.send(['PUBLISH', channel, JSON.stringify({ ...notice, from: self })])
    } catch {
      wasUnheard = true
    }
  }

  link.onReturn(() => {
    void local.tell({ entity: EVERYTHING })
    if (!wasUnheard) return
    wasUnheard = false
    void send({ entity: EVERYTHING })
  })
  await link.subscribe(channel, (message) => {
    const { notice, from } = readMessage(message)
    if (from !== self) void local.tell(notice)
  })

  return {
    ...local,
    publish: async (notice) => {
      await Promise.all([local.tell(notice), send(notice)])
    },
  }
}

/** What cannot be read, as from another version, may be about anything. */
function readMessage(message: string): { notice: Notice; from: string | undefined } {
  const { entity, id, from } = parseObject(message)
  return {
    notice: {
      entity: typeof entity === 'string' ? entity : EVERYTHING,
      ...((typeof id === 'string' || typeof id === 'number') && { id }),
    },
    from: typeof from === 'string' ? from : undefined,
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
