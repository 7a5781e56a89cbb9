import type { Coordination } from '@tollgate/coordination/coordination'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Clock } from '@tollgate/kit/clock'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { Config } from '../config/index.ts'
import type { Job } from '../jobs/job.ts'
import { renewKeysJob } from '../jobs/renew-keys.ts'
import { noteTrafficJob, pruneTrafficJob } from '../jobs/traffic.ts'
import {
  type CredentialRefreshParts,
  type CredentialRefresh,
  openCredentialRefresh,
} from '../keys/credential-refresh.ts'
import { type Affinity, openAffinity } from '../relay/affinity/affinity.ts'
import { ChannelLessons, type ChannelLessonsDeps } from '../relay/lessons/channel-lessons.ts'
import { KeyHealth } from '../relay/stations/route/key-health.ts'
import type { RoutingInsight } from '../ports/channel-insight.ts'
import { openRoutingInsight } from '../relay/routing-insight.ts'
import { ChannelTraffic } from '../relay/traffic.ts'
import { type AllBalancesParts, updateAllBalances } from '../services/channel/balance.ts'
import { BALANCE_JOB, TEST_JOB } from '../services/channel/start-jobs.ts'
import { notifyKeyNotRenewed } from '../services/channel/renew-key.ts'
import { type ChannelSwitch, openChannelSwitch } from '../services/channel/switch.ts'
import { type TestAllParts, testAllChannels } from '../services/channel/test-all.ts'
import type { NotifyRootPorts } from '../services/notify/notify-root.ts'
import type { Outbox } from '../services/outbox/outbox.ts'
import type { Services } from '../services/services.ts'

/** State about channels that the relay, the console and the jobs share. */
export interface ChannelOperations {
  /** Notifies the root user when a channel was disabled or enabled automatically. */
  readonly desk: NotifyRootPorts
  readonly switch: ChannelSwitch
  readonly health: KeyHealth
  readonly lessons: ChannelLessons
  readonly affinity: Affinity
  readonly traffic: ChannelTraffic
  readonly routing: RoutingInsight
  readonly credentialRefresh: CredentialRefresh
}

export interface ChannelOperationsParts extends Pick<Services, 'store' | 'notices'> {
  readonly config: Pick<Config, 'noticesMax' | 'noticeWindowMinutes'>
  readonly clock: Clock
  readonly cipher: Cipher
  readonly outbox: Outbox
  readonly isConfirmed: () => boolean
  readonly snapshots: Pick<Snapshots, 'roster' | 'settings'>
  readonly renewals: Omit<CredentialRefreshParts, 'onRefused'>
  readonly learning: ChannelLessonsDeps & Pick<Coordination, 'ttlCache'>
}

const MINUTE_MS = 60_000

export function openChannelOperations(parts: ChannelOperationsParts): ChannelOperations {
  const { store, notices, config, clock, cipher, outbox, snapshots } = parts
  const limit = { count: config.noticesMax, windowMs: config.noticeWindowMinutes * MINUTE_MS }
  const desk = { store, clock, outbox, limit }
  const health = new KeyHealth()
  const traffic = new ChannelTraffic(clock)
  const lessons = new ChannelLessons(parts.learning)
  const affinity = openAffinity({ ttlCache: parts.learning.ttlCache, clock, snapshots })
  const now = () => clock.monotonicMs()
  return {
    desk,
    health,
    traffic,
    lessons,
    switch: openChannelSwitch({ store, clock, notices, desk, isConfirmed: parts.isConfirmed }),
    affinity,
    routing: openRoutingInsight({
      snapshots,
      health,
      traffic,
      lessons,
      affinity,
      cipher,
      now,
      random: Math.random,
    }),
    credentialRefresh: openCredentialRefresh({
      ...parts.renewals,
      onRefused: (channel, reason) => notifyKeyNotRenewed(desk, channel, reason),
    }),
  }
}

type ChannelJobsParts = Omit<TestAllParts & AllBalancesParts, 'pauseMs'> &
  ChannelOperations & {
    readonly snapshots: Pick<Snapshots, 'roster'>
    readonly config: Pick<Config, 'channelTestMinutes' | 'channelBalanceMinutes' | 'channelPauseMs'>
  }

/**
 * The jobs about channels. Traffic is recorded all the time. Channel tests and balance updates run on a
 * schedule if the operator configured an interval, otherwise only on request.
 */
export function channelJobs({ config, ...rest }: ChannelJobsParts): readonly Job[] {
  const parts = { ...rest, pauseMs: config.channelPauseMs }
  const { store: db, clock } = rest
  return [
    noteTrafficJob({ ...rest, db }),
    pruneTrafficJob({ db, clock }),
    renewKeysJob(rest),
    { name: TEST_JOB, ...every(config.channelTestMinutes), runs: 'once', run: testAllChannels(parts) },
    {
      name: BALANCE_JOB,
      ...every(config.channelBalanceMinutes),
      runs: 'once',
      run: updateAllBalances(parts),
    },
  ]
}

function every(minutes: number): Pick<Job, 'everyMs'> {
  return minutes > 0 ? { everyMs: minutes * MINUTE_MS } : {}
}
