import { type MessageCalls, messageCalls } from '@tollgate/kit/message-calls'
import { storeErrors } from '@tollgate/store/sqlite/follower-store'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** Calls from a worker to its parent, besides those of the store and the coordination hub. */
export type ParentCalls = {
  'family.hello': (input: undefined) => Hello
  'family.ready': (address: string) => void
  /** The worker could not start; the text explains it to the operator. */
  'family.failed': (words: string) => void
  /** Returns Prometheus text about all workers. */
  'family.metrics': (input: undefined) => string
}

export interface Hello {
  readonly nodeId: string
  readonly port: number
  readonly isFirst: boolean
}

/** Calls from the parent to a worker. */
export type WorkerCalls = {
  'family.stop': (input: undefined) => void
  'family.hurry': (input: undefined) => void
  'family.figures': (input: undefined) => WorkerMetrics
}

export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Runs the calls over Node's IPC channel of a child process. */
export function callsOver(post: (message: object) => void): MessageCalls {
  return messageCalls({ post: (message) => post(asObject(message)), errors: storeErrors })
}

function asObject(message: unknown): object {
  return Object(message)
}
