import type { AskDefaults } from '@tollgate/dialects/ask'
import type { MemberPolicy } from '@tollgate/dialects/checked/take-out'
import { problem } from '@tollgate/problems/problem'
import type { Log } from '../log.ts'
import type { BodyFacts, BodyReply, BodyTask, BodyUse } from './body-messages.ts'
import { ThreadPool } from './thread-pool.ts'

export interface LargeBody {
  readonly userId: number
  readonly use: BodyUse
  readonly defaults: AskDefaults
  readonly policy: MemberPolicy
  /** Transferred to the thread; afterwards only the buffer in the reply may be used. */
  readonly bytes: Buffer
}

/** Work on request bodies that would block the event loop. All methods reject with a Problem. */
export interface BodyReader {
  /** Number of tasks so far. */
  readonly tasks: number
  /** Facts about a large body, which is checked as `readAsk` does. */
  read(
    body: LargeBody,
    words?: readonly string[],
  ): Promise<{ readonly facts: BodyFacts; readonly bytes: Buffer }>
  /** The first refused word in any text of a large body. */
  findWordInBody(
    lines: readonly string[],
    body: LargeBody,
  ): Promise<{ readonly word: string | undefined; readonly bytes: Buffer }>
  findWord(lines: readonly string[], text: string, userId: number): Promise<string | undefined>
  close(): Promise<void>
}

/** Time limit of a task; searching the largest body for many patterns takes seconds. */
const TASK_MS = 30_000
/** Several times the memory that the largest body needs. */
const HEAP_MEGABYTES = 512

export function openBodyReader(log: Log): BodyReader {
  const pool = new ThreadPool({
    script: new URL('./body-thread.ts', import.meta.url),
    taskMs: TASK_MS,
    heapMegabytes: HEAP_MEGABYTES,
    onFailure: (error) => log.error({ error }, 'a worker thread that reads large bodies failed'),
  })

  async function ask(
    userId: number,
    message: BodyTask,
    transfer: readonly ArrayBuffer[],
  ): Promise<BodyReply> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread's only replies
    const reply = (await pool.run(userId, { message, transfer })) as BodyReply
    if (reply.type === 'problem') throw problem(reply.code, reply.parameters)
    if (reply.type === 'bug') throw new Error(`reading a large body: ${reply.text}`)
    return reply
  }

  return {
    get tasks() {
      return pool.tasks
    },
    read: async ({ userId, use, defaults, policy, bytes }, words) => {
      const { buffer, length } = movable(bytes)
      const task = { type: 'read', use, defaults, policy, buffer, length, words } as const
      const reply = await ask(userId, task, [buffer])
      if (reply.type !== 'facts') throw new Error('a large body was not read')
      return { facts: reply.facts, bytes: Buffer.from(reply.buffer, 0, reply.facts.length) }
    },
    findWordInBody: async (lines, { userId, use, defaults, policy, bytes }) => {
      const { buffer, length } = movable(bytes)
      const task = { type: 'words', lines, searched: { use, defaults, policy, buffer, length } } as const
      const reply = await ask(userId, task, [buffer])
      if (reply.type !== 'word' || reply.buffer === undefined) throw new Error('no word was looked for')
      return { word: reply.word, bytes: Buffer.from(reply.buffer, 0, length) }
    },
    findWord: async (lines, text, userId) => {
      const reply = await ask(userId, { type: 'words', lines, searched: text }, [])
      if (reply.type !== 'word') throw new Error('no word was looked for')
      return reply.word
    },
    close: () => pool.close(),
  }
}

/**
 * A buffer with its own memory can be transferred; one that shares its memory with others is copied, and is
 * small.
 */
function movable(bytes: Buffer): { readonly buffer: ArrayBuffer; readonly length: number } {
  const { buffer, byteOffset, length } = bytes
  const isOwn = byteOffset === 0 && buffer instanceof ArrayBuffer && length * 2 >= buffer.byteLength
  if (isOwn && length > SHARED_BYTES_MAX) return { buffer, length }
  const copy = new ArrayBuffer(length)
  bytes.copy(new Uint8Array(copy))
  return { buffer: copy, length }
}

/** Node's shared buffers, such as socket chunks, are never this large. */
const SHARED_BYTES_MAX = 256 * 1024
