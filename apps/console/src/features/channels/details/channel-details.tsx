import type { Channel } from '@tollgate/contract/channel'
import type { ChannelHealth } from '@tollgate/contract/channel-insight'
import { HealthPanel } from '../health/health-panel.tsx'
import { LessonsPanel } from '../lessons/lessons-panel.tsx'
import { TestPanel } from '../test/test-panel.tsx'
import { ChannelFacts } from './channel-facts.tsx'

interface ChannelDetailsProps {
  readonly channel: Channel
  readonly health: ChannelHealth | undefined
}

/** The content of an opened row. */
export function ChannelDetails({ channel, health }: ChannelDetailsProps) {
  return (
    <>
      <TestPanel channel={channel} />
      <HealthPanel health={health} />
      <ChannelFacts channel={channel} />
      <LessonsPanel channel={channel} />
    </>
  )
}
