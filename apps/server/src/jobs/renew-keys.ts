import { isDue } from '@tollgate/providers/sign/renewal'
import type { Clock } from '@tollgate/kit/clock'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import type { Snapshots, RosterChannel } from '../snapshots/snapshots.ts'
import type { CredentialRefresh } from '../keys/credential-refresh.ts'
import type { JobFigures, Job, RunContext } from './job.ts'

export interface RenewKeysParts {
  readonly snapshots: Pick<Snapshots, 'roster'>
  readonly clock: Clock
  readonly credentialRefresh: Pick<CredentialRefresh, 'renew'>
}

const EVERY_MS = 10 * 60_000
const FIRST_MS = 60_000

/**
 * Refreshes expiring credentials in use before they end, so that no call has to wait for a refresh. A
 * credential whose refresh is refused stays in use until it expires.
 */
export function renewKeysJob(parts: RenewKeysParts): Job {
  return {
    name: 'renew-keys',
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    runs: 'once',
    run: (context) => renewKeys(parts, context),
  }
}

async function renewKeys(parts: RenewKeysParts, context?: RunContext): Promise<JobFigures> {
  const { snapshots, clock, credentialRefresh } = parts
  const figures = { renewed: 0, failed: 0 }
  const due = dueKeys(snapshots.roster().all(), clock.nowMs())
  for (const [index, { channel, key }] of due.entries()) {
    context?.report({ done: index, total: due.length })
    const outcome = await credentialRefresh.renew(channel, key, 'due')
    if (outcome.type === 'renewed') figures.renewed++
    else if (outcome.type !== 'gone') figures.failed++
  }
  return figures
}

interface DueKey {
  readonly channel: RosterChannel
  readonly key: string
}

function dueKeys(channels: readonly RosterChannel[], nowMs: number): readonly DueKey[] {
  return channels.flatMap((channel) => {
    const { provider, status, keys, disabledKeys } = channel
    const { renewal } = provider
    if (renewal === undefined || status !== CHANNEL_STATUS.enabled) return []
    return keys.flatMap((key, keyIndex) => {
      const life = disabledKeys.has(keyIndex) ? undefined : renewal.lifeOf(key)
      return life !== undefined && isDue(life, nowMs) ? [{ channel, key }] : []
    })
  })
}
