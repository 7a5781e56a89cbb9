import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallsOf, type MessageCalls, callsOf } from '@tollgate/kit/message-calls'
import { randomToken } from '@tollgate/kit/ids'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { type WorkerMetrics, type ParentCalls, type WorkerCalls, callsOver } from './ipc.ts'

export interface WorkerPoolDeps {
  readonly size: number
  readonly host: string
  /** 0: any free port, the same for all workers. */
  readonly port: number
  readonly log: Logger
  /**
   * Provides a new worker with what the parent does for all of them. The returned function is called once the
   * worker is gone.
   */
  readonly attend: (worker: { nodeId: string; calls: MessageCalls }) => () => Promise<void>
}

interface Member {
  readonly worker: Worker
  readonly calls: CallsOf<WorkerCalls>
  readonly gone: Promise<void>
}

/** A worker that lived shorter than this probably failed to start; its replacement waits for `PAUSE_MS`. */
const SHORT_LIFE_MS = 10_000
const PAUSE_MS = 1_000
/** A worker that is too busy to answer in this time is left out of the metrics. */
const FIGURES_MS = 2_000

/** The worker processes that serve requests. A worker that ends unexpectedly is replaced. */
export class WorkerPool {
  readonly #deps: WorkerPoolDeps
  readonly #members = new Set<Member>()
  #port: number
  #isStopping = false

  constructor(deps: WorkerPoolDeps) {
    this.#deps = deps
    this.#port = deps.port
    // On platforms where the operating system does not distribute connections over sockets, the workers share
    // one socket. Round-robin scheduling would let the parent accept them, and a connection not yet passed on
    // would be lost when its worker ends.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    // Structured clone: responses between the processes may contain bigints and dates.
    cluster.setupPrimary({ serialization: 'advanced' })
  }

  /**
   * Resolves to the address once all workers serve, or to `undefined` if {@link stop} was called before that.
   * Rejects with a message for the operator when the first worker cannot start.
   */
  async start(): Promise<string | undefined> {
    try {
      await refuseTakenPort(this.#deps)
      // The first worker starts alone, so that an error that keeps every worker from starting is reported
      // once.
      const address = await this.#spawn()
      if (this.#port === 0) this.#port = Number(new URL(address).port)
      await Promise.all(Array.from({ length: this.#deps.size - 1 }, () => this.#spawn()))
      return address
    } catch (error) {
      if (this.#isStopping) return undefined
      throw error
    }
  }

  /**
   * Stops every worker, including one that is still starting, and kills those that have not ended after
   * `limitMs`. Resolves when all are gone.
   */
  async stop(limitMs: number): Promise<void> {
    this.#isStopping = true
    this.#tellAll('family.stop')
    const timer = setTimeout(() => {
      for (const { worker } of this.#members) worker.process.kill('SIGKILL')
    }, limitMs)
    await Promise.all([...this.#members].map(({ gone }) => gone))
    clearTimeout(timer)
  }

  hurry(): void {
    this.#tellAll('family.hurry')
  }

  #tellAll(what: 'family.stop' | 'family.hurry'): void {
    for (const { calls } of this.#members) calls.call(what, undefined).catch(() => undefined)
  }

  #spawn(): Promise<string> {
    if (this.#isStopping) return Promise.reject(new Error('no worker begins while the gateway stops'))
    const worker = cluster.fork()
    const nodeId = randomToken(12)
    const calls = callsOver((message) => worker.process.send(message, undefined, {}, () => undefined))
    worker.on('message', (message) => void calls.receive(message))
    const release = this.#deps.attend({ nodeId, calls })
    const started = Promise.withResolvers<string>()
    const parent = callsOf<ParentCalls>(calls)
    const isFirst = this.#members.size === 0
    parent.serve('family.hello', () => ({ nodeId, port: this.#port, isFirst }))
    parent.serve('family.ready', (address) => {
      this.#deps.log.info({ worker: worker.process.pid }, 'worker is ready and serves requests')
      started.resolve(address)
    })
    parent.serve('family.failed', (words) => started.reject(words))
    parent.serve('family.metrics', () => this.#metrics())
    const gone = this.#watch(worker, async () => {
      calls.end(new Error('the worker has ended'))
      started.reject('A worker ended before it was ready.')
      await release()
    })
    const member: Member = { worker, calls: callsOf(calls), gone }
    this.#members.add(member)
    void gone.then(() => this.#members.delete(member))
    return started.promise
  }

  /** Waits until the worker has ended and all its messages have arrived, and then replaces it. */
  async #watch(worker: Worker, onGone: () => Promise<void>): Promise<void> {
    const startedMs = performance.now()
    worker.on('error', (error) => this.#deps.log.error({ error }, 'could not communicate with a worker'))
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      worker.process.once('close', (...how) => resolve(how))
    })
    await onGone()
    if (this.#isStopping) return
    this.#deps.log.error(
      { code, signal, worker: worker.process.pid },
      'a worker ended unexpectedly; starting a replacement',
    )
    void this.#replace(performance.now() - startedMs)
  }

  async #replace(livedMs: number): Promise<void> {
    if (livedMs < SHORT_LIFE_MS) await sleep(PAUSE_MS)
    if (this.#isStopping) return
    await this.#spawn().catch((words: unknown) =>
      this.#deps.log.error({ words }, 'a replacement worker could not start'),
    )
  }

  async #metrics(): Promise<string> {
    const asked = [...this.#members].map(({ calls }) => figuresOf(calls))
    const figures = (await Promise.all(asked)).filter((one) => one.length > 0)
    return AggregatorRegistry.aggregate(figures.map((one) => [...one])).metrics()
  }
}

async function figuresOf(calls: CallsOf<WorkerCalls>): Promise<WorkerMetrics> {
  const figures = calls.call('family.figures', undefined).catch(() => [])
  return Promise.race([figures, sleep(FIGURES_MS, [], { ref: false })])
}

/**
 * Workers can share a port with sockets of any other process, so a gateway that already listens on it would
 * not cause an error. This probes the port exclusively first.
 */
async function refuseTakenPort({ host, port }: { host: string; port: number }): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ port, exclusive: true, ...(host !== '' && { host }) }, () => resolve())
  })
  await new Promise((resolve) => probe.close(resolve))
}
