import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { problem } from '@tollgate/problems/problem'

export interface Task {
  readonly message: object
  /** Buffers transferred to the thread; they come back with the reply. */
  readonly transfer: readonly ArrayBuffer[]
}

interface Waiting extends Task {
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: Error) => void
}

export interface ThreadPoolOptions {
  readonly script: URL
  /** Time limit of one task; the thread is terminated with it. */
  readonly taskMs: number
  /** Heap limit of each thread. */
  readonly heapMegabytes: number
  readonly onFailure: (error: Error) => void
}

/** One core is left to the event loop. */
const THREADS = Math.min(2, Math.max(1, availableParallelism() - 1))

/**
 * A small pool of threads for work on request bodies that would block the event loop. Threads start when
 * first needed. Users are served in rotation, so a user with a hundred tasks delays others by at most one of
 * them.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions
  readonly #queues = new Map<number, Waiting[]>()
  readonly #idle: Worker[] = []
  readonly #running = new Map<Worker, { readonly task: Waiting; readonly timer: NodeJS.Timeout }>()
  #isClosed = false
  /** Number of tasks submitted so far. */
  tasks = 0

  constructor(options: ThreadPoolOptions) {
    this.#options = options
  }

  /** Rejects with `gateway_busy` when the thread died during the task or took too long. */
  run(userId: number, task: Task): Promise<unknown> {
    this.tasks++
    return new Promise((resolve, reject) => {
      const waiting = { ...task, resolve, reject }
      const queue = this.#queues.get(userId)
      if (queue === undefined) this.#queues.set(userId, [waiting])
      else queue.push(waiting)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const threads = [...this.#idle.splice(0), ...this.#running.keys()]
    await Promise.all(threads.map((thread) => thread.terminate()))
  }

  #next(): void {
    const thread = this.#queues.size === 0 || this.#isClosed ? undefined : this.#free()
    const task = thread === undefined ? undefined : this.#dequeue()
    if (thread === undefined || task === undefined) return
    const timer = setTimeout(() => void thread.terminate(), this.#options.taskMs)
    this.#running.set(thread, { task, timer })
    thread.postMessage(task.message, [...task.transfer])
  }

  /** Takes the first task of the user who has waited longest, and moves the user to the end of the queue. */
  #dequeue(): Waiting | undefined {
    for (const [userId, queue] of this.#queues) {
      const task = queue.shift()
      this.#queues.delete(userId)
      if (queue.length > 0) this.#queues.set(userId, queue)
      return task
    }
    return undefined
  }

  #free(): Worker | undefined {
    const idle = this.#idle.pop()
    if (idle !== undefined || this.#running.size >= THREADS) return idle
    const { script, heapMegabytes, onFailure } = this.#options
    const thread = new Worker(script, {
      name: 'callers-bytes',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    thread.unref()
    thread.on('message', (reply: unknown) => this.#ended(thread, reply))
    thread.on('error', onFailure)
    thread.on('exit', () => this.#died(thread))
    return thread
  }

  #ended(thread: Worker, reply: unknown): void {
    const running = this.#stop(thread)
    this.#idle.push(thread)
    running?.resolve(reply)
    this.#next()
  }

  #died(thread: Worker): void {
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#stop(thread)?.reject(problem('gateway_busy'))
    this.#next()
  }

  #stop(thread: Worker): Waiting | undefined {
    const running = this.#running.get(thread)
    clearTimeout(running?.timer)
    this.#running.delete(thread)
    return running?.task
  }
}
