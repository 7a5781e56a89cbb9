import { type MessageCalls, messageCalls } from '@tollgate/kit/message-calls'
import { storeErrors } from '@tollgate/store/sqlite/guest-store'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** What a worker tells the process that watches over it, besides what concerns the store and what they share. */
export type ParentCalls = {
  'family.hello': (input: undefined) => Hello
  'family.ready': (address: string) => void
  /** It could not start, and says why in words for the operator. */
  'family.failed': (words: string) => void
  /** Prometheus text about all workers. */
  'family.metrics': (input: undefined) => string
}

export interface Hello {
  readonly nodeId: string
  readonly port: number
  readonly isFirst: boolean
}

/** And what it is told. */
export type WorkerCalls = {
  'family.stop': (input: undefined) => void
  'family.hurry': (input: undefined) => void
  'family.figures': (input: undefined) => Figures
}

export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Over the channel that Node opens to a child process. */
export function callsOver(post: (message: object) => void): MessageCalls {
  return messageCalls({ post: (message) => post(asObject(message)), errors: storeErrors })
}

function asObject(message: unknown): object {
  return Object(message)
}
