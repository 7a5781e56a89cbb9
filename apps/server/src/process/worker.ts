import process from 'node:process'
import { hubCoordination } from '@tollgate/coordination/hub-coordination'
import { type MessageCalls, callsOf } from '@tollgate/kit/message-calls'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { openFollowerStore } from '@tollgate/store/sqlite/follower-store'
import type { Logger } from 'pino'
import { startServer } from '../app/index.ts'
import type { Parent } from '../app/parent.ts'
import { wordsFor } from '../app/refuse-to-start.ts'
import type { Config } from '../config/index.ts'
import { type ParentCalls, type WorkerCalls, callsOver } from './ipc.ts'
import { SIGNALS, type Stop, leaveNow, stopOnBugs, stopping } from './stop.ts'

/**
 * One of several processes behind one port. It does everything a single process does, except for what the
 * parent does for all. It stops when the parent requests it and ignores signals, because a signal reaches all
 * processes at once. Node ends it when the parent is gone.
 */
export async function runWorker(config: Config, log: Logger): Promise<void> {
  for (const signal of SIGNALS) process.on(signal, () => undefined)
  const calls = callsOver((message) => process.send?.(message))
  const { isAskedToStop, begin } = awaitStop(calls)
  process.on('message', (message) => void calls.receive(message))
  const parent = callsOf<ParentCalls>(calls)
  const onFatal = (error: unknown): never => leaveNow(log, error)
  try {
    const met = await meetParent(calls, config, log)
    if (isAskedToStop()) process.exit(0)
    const server = await startServer(config, { log, onFatal, parent: met })
    const stop = stopping(server, log)
    stopOnBugs(stop, log)
    begin(stop)
    await parent.call('family.ready', server.address)
  } catch (error) {
    await parent.call('family.failed', wordsFor(error))
    process.exit(1)
  }
}

/**
 * The parent may request a stop at any time. A worker that may already serve calls shuts down as gracefully
 * as a single server.
 */
function awaitStop(calls: MessageCalls) {
  const started = Promise.withResolvers<Stop>()
  let isAsked = false
  async function hear(): Promise<void> {
    isAsked = true
    const stop = await started.promise
    stop({}, { code: 0 })
  }
  const worker = callsOf<WorkerCalls>(calls)
  worker.serve('family.stop', hear)
  worker.serve('family.hurry', hear)
  return { isAskedToStop: () => isAsked, begin: started.resolve }
}

async function meetParent(calls: MessageCalls, config: Config, log: Logger): Promise<Parent> {
  const parent = callsOf<ParentCalls>(calls)
  const hello = await parent.call('family.hello', undefined)
  return {
    ...hello,
    openStore: isServerDsn(config.sqlDsn)
      ? undefined
      : ({ sqlitePath }, onFatal) =>
          openFollowerStore({ sqlitePath, onFatal, keepsRoom: true, calls: callsOf(calls) }),
    coordination: config.redis
      ? undefined
      : hubCoordination({
          calls,
          onFailure: (error, notice) =>
            log.error({ error, notice }, 'a listener failed to handle a change notice'),
        }),
    gatherMetrics: (own) => {
      callsOf<WorkerCalls>(calls).serve('family.figures', async () => (await own()).getMetricsAsJSON())
      return () => parent.call('family.metrics', undefined)
    },
  }
}
