/**
 * Preloaded into a measured process with `--import`: records CPU profiles of its main thread and of every
 * worker thread between two commands on a socket. Nothing in the product knows of it.
 *
 * The main thread listens on `<BENCH_PROFILE>/<pid>.sock`. The command `start` is answered once the profilers
 * run, `stop` with one JSON line: a {@link ThreadRecord} for each thread.
 */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, isMainThread, threadId, threadName } from 'node:worker_threads'
import type { ThreadRecord } from './thread-record.ts'

const INTERVAL_MICROS = 500
/** Threads answer a broadcast within this time, unless they are blocked; such a thread is left out. */
const GATHER_MS = 300
const WRITE_MS = 20_000

const directory = process.env['BENCH_PROFILE'] ?? '.'

class ThreadProfiler {
  readonly #session = new Session()
  #cpuBefore = process.threadCpuUsage()

  async start(): Promise<void> {
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROS })
    await this.#session.post('Profiler.start')
    this.#cpuBefore = process.threadCpuUsage()
  }

  async stop(): Promise<ThreadRecord> {
    const { user, system } = process.threadCpuUsage(this.#cpuBefore)
    const { profile } = await this.#session.post('Profiler.stop')
    this.#session.disconnect()
    const name = isMainThread ? 'main' : threadName || `thread ${threadId}`
    const file = join(directory, `${process.pid}-${threadId}-${name}.cpuprofile`)
    writeFileSync(file, JSON.stringify(profile))
    return { processId: process.pid, name, file, cpuMicros: user + system }
  }
}

/** What the other threads answered since the last start. */
const answers = { started: 0, records: [] as ThreadRecord[] }

const profiler = new ThreadProfiler()
const channel = new BroadcastChannel('bench-profile')
if (isMainThread) serveCommands()
else obeyBroadcasts()
channel.unref()

function tell(message: string | ThreadRecord): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- other threads, not a window
  channel.postMessage(message)
}

function onMessage(work: (message: unknown) => void): void {
  channel.addEventListener('message', (event) => work(Reflect.get(event, 'data')))
}

function obeyBroadcasts(): void {
  onMessage((message) => {
    if (message === 'start') void profiler.start().then(() => tell('started'))
    if (message === 'stop') void profiler.stop().then(tell)
  })
}

function serveCommands(): void {
  onMessage((message) => {
    if (message === 'started') answers.started++
    else answers.records.push(recordFrom(message))
  })
  const server = createServer((socket) => {
    socket.on('data', (command) => {
      const work = command.toString().trim() === 'start' ? startAll() : stopAll()
      void work.then((answer) => socket.end(`${answer}\n`))
    })
  })
  server.listen(join(directory, `${process.pid}.sock`)).unref()
}

async function startAll(): Promise<string> {
  Object.assign(answers, { started: 0, records: [] })
  tell('start')
  await profiler.start()
  await sleep(GATHER_MS)
  return 'started'
}

async function stopAll(): Promise<string> {
  tell('stop')
  const own = await profiler.stop()
  const { started, records } = answers
  for (let waitedMs = 0; records.length < started && waitedMs < WRITE_MS; waitedMs += 50) await sleep(50)
  return JSON.stringify([own, ...records])
}

function recordFrom(data: unknown): ThreadRecord {
  // The message comes from `obeyBroadcasts`, so the cast is safe.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as ThreadRecord
}
