import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallsOf, type MessageCalls, callsOf } from '@tollgate/kit/message-calls'
import { randomToken } from '@tollgate/kit/ids'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'
import { type Figures, type ParentCalls, type WorkerCalls, callsOver } from './ipc.ts'

export interface WorkerPoolDeps {
  readonly size: number
  readonly host: string
  /** 0: any, the same for all. */
  readonly port: number
  readonly log: Logger
  /** Does for a worker what the parent does for all; the returned function is called once it is gone. */
  readonly attend: (worker: { nodeId: string; calls: MessageCalls }) => () => Promise<void>
}

interface Member {
  readonly worker: Worker
  readonly calls: CallsOf<WorkerCalls>
  readonly gone: Promise<void>
}

/** It lives shorter than this when something is wrong with every start. */
const SHORT_LIFE_MS = 10_000
const PAUSE_MS = 1_000
/** A worker that is too busy leaves its figures out. */
const FIGURES_MS = 2_000

/** The processes that serve. One that ends unasked is replaced. */
export class WorkerPool {
  readonly #deps: WorkerPoolDeps
  readonly #members = new Set<Member>()
  #port: number
  #isStopping = false

  constructor(deps: WorkerPoolDeps) {
    this.#deps = deps
    this.#port = deps.port
    // Where sockets cannot be dealt out by the system: what the parent would have to hand on is lost with a worker.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    // Answers hold bigints and dates as they are.
    cluster.setupPrimary({ serialization: 'advanced' })
  }

  /**
   * Resolves to the address once all serve, or to nothing when {@link stop} was called before. Rejects with words for the
   * operator when the first one cannot.
   */
  async start(): Promise<string | undefined> {
    try {
      await refuseTakenPort(this.#deps)
      // Alone, so that what keeps all of them from starting is told once.
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
   * Each stops by itself, also one that is still being started, and is killed when it has not after `limitMs`. Resolves when
   * all are gone.
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
      this.#deps.log.info({ worker: worker.process.pid }, 'a worker serves')
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

  /** It is gone when it has ended and everything it said has arrived. */
  async #watch(worker: Worker, onGone: () => Promise<void>): Promise<void> {
    const startedMs = performance.now()
    worker.on('error', (error) => this.#deps.log.error({ error }, 'a worker cannot be reached'))
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      worker.process.once('close', (...how) => resolve(how))
    })
    await onGone()
    if (this.#isStopping) return
    this.#deps.log.error(
      { code, signal, worker: worker.process.pid },
      'a worker has ended; another one begins',
    )
    void this.#replace(performance.now() - startedMs)
  }

  async #replace(livedMs: number): Promise<void> {
    if (livedMs < SHORT_LIFE_MS) await sleep(PAUSE_MS)
    if (this.#isStopping) return
    await this.#spawn().catch((words: unknown) => this.#deps.log.error({ words }, 'a worker could not begin'))
  }

  async #metrics(): Promise<string> {
    const asked = [...this.#members].map(({ calls }) => figuresOf(calls))
    const figures = (await Promise.all(asked)).filter((one) => one.length > 0)
    return AggregatorRegistry.aggregate(figures.map((one) => [...one])).metrics()
  }
}

async function figuresOf(calls: CallsOf<WorkerCalls>): Promise<Figures> {
  const figures = calls.call('family.figures', undefined).catch(() => [])
  return Promise.race([figures, sleep(FIGURES_MS, [], { ref: false })])
}

/** Sockets that share a port keep each other company: another gateway's must be noticed before. */
async function refuseTakenPort({ host, port }: { host: string; port: number }): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ port, exclusive: true, ...(host !== '' && { host }) }, () => resolve())
  })
  await new Promise((resolve) => probe.close(resolve))
}
