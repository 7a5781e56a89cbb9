import { randomToken } from '@tollgate/kit/ids'
import { parseObject } from '@tollgate/kit/json'
import { type NoticesOptions, memoryNotices } from './memory-notices.ts'
import { EVERYTHING, type Notice, type Notices } from './notices.ts'
import type { RedisLink } from './redis-link.ts'

/**
 * Notices to every process over one Redis channel. After each loss of Redis, a process notifies its own
 * listeners of {@link EVERYTHING}, since it may have missed notices. If it failed to send a notice meanwhile,
 * it also publishes EVERYTHING to the others.
 */
export async function redisNotices(link: RedisLink, options: NoticesOptions): Promise<Notices> {
  const local = memoryNotices(options)
  const channel = `${link.prefix}notices`
  const self = randomToken(9)
  let wasUnheard = false

  /** Never rejects: the change that the notice is about has already been written. */
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

/** An unreadable message, for example from another version, is treated as {@link EVERYTHING}. */
function readMessage(message: string): { notice: Notice; from: string | undefined } {
  const { entity, id, from } = parseObject(message) ?? {}
  return {
    notice: {
      entity: typeof entity === 'string' ? entity : EVERYTHING,
      ...((typeof id === 'string' || typeof id === 'number') && { id }),
    },
    from: typeof from === 'string' ? from : undefined,
  }
}
