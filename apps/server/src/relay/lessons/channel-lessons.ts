import type { Coordination } from '@tollgate/coordination/coordination'
import { EVERYTHING, type Notice, type Notices } from '@tollgate/coordination/notices'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { Clock } from '@tollgate/kit/clock'
import type { RosterChannel } from '../../snapshots/snapshots.ts'
import type { Log } from '../log.ts'
import {
  LESSON_LIFETIME_MS,
  parseLessonBook,
  stillKept,
  withLesson,
  type ChannelLessonBook,
  type KeptLesson,
} from './kept-lessons.ts'

export interface ChannelLessonsDeps {
  readonly ttlCache: Coordination['ttlCache']
  readonly clock: Clock
  readonly log: Log
  /** Publishes lessons to other processes; absent when there are none. */
  readonly notices?: Pick<Notices, 'publish' | 'subscribe'>
}

/** The shared cache in which lessons are kept for other processes, and for this one after a restart. */
const SHELF = {
  lifetimeMs: LESSON_LIFETIME_MS,
  entriesMax: 5000,
  bytesMax: 16 * 1024 * 1024,
  valueBytesMax: 64 * 1024,
  isReplaced: true,
}

const LEARNED = 'channel-lesson'
const FORGOTTEN = 'forgotten-channel-lessons'
const NONE: readonly LessonName[] = []

type Place = Pick<RosterChannel, 'id' | 'baseUrl'>

/**
 * What refusals of vendors taught about the models of channels, kept for a day. Calls read what this process
 * knows; lessons of another process arrive within moments, and a lesson that is missed is learned again.
 */
export class ChannelLessons {
  readonly #deps: ChannelLessonsDeps
  readonly #ttlCache: ReturnType<Coordination['ttlCache']>
  readonly #snapshots = new Map<number, ChannelLessonBook | undefined>()
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: ChannelLessonsDeps) {
    this.#deps = deps
    this.#ttlCache = deps.ttlCache('channel-lessons', SHELF)
    deps.notices?.subscribe((notice) => this.#hear(notice))
  }

  /**
   * The lessons for a model, by its vendor's name. Never waits: the first call of a process to a channel gets
   * none.
   */
  inForce({ id, baseUrl }: Place, model: string): readonly LessonName[] {
    const book = this.#snapshots.get(id)
    if (book === undefined) {
      if (!this.#snapshots.has(id)) void this.#read(id)
      return NONE
    }
    if (book.address !== baseUrl || book.lessons.length === 0) return NONE
    return stillKept(book.lessons, this.#deps.clock.nowMs())
      .filter((lesson) => lesson.model === '' || lesson.model === model)
      .map(({ name }) => name)
  }

  /** Stores a lesson. Never rejects. */
  keep(channel: Place, model: string, name: LessonName): Promise<void> {
    const { clock, log } = this.#deps
    return this.#inTurn(async () => {
      const lessons = await this.list(channel)
      const kept = withLesson(lessons, { model, name, learnedMs: clock.nowMs() })
      if (kept === undefined) return
      log.info(
        { channelId: channel.id, model, lesson: name },
        'learned from a refusal how to send requests to a channel',
      )
      this.#write(channel.id, { address: channel.baseUrl, lessons: kept })
      await this.#deps.notices?.publish({ entity: LEARNED, id: channel.id })
    })
  }

  async list({ id, baseUrl }: Place): Promise<readonly KeptLesson[]> {
    const book = await this.#read(id)
    return book?.address === baseUrl ? stillKept(book.lessons, this.#deps.clock.nowMs()) : []
  }

  /** Deletes the lessons of a channel in every process. */
  forget(channelId: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#forgetHere(channelId)
      await this.#deps.notices?.publish({ entity: FORGOTTEN, id: channelId })
    })
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const { log } = this.#deps
    const onError = (error: unknown) => log.warn({ error }, 'could not store or delete lessons of a channel')
    this.#writing = this.#writing.then(work).catch(onError)
    return this.#writing
  }

  async #read(id: number): Promise<ChannelLessonBook | undefined> {
    if (!this.#snapshots.has(id)) this.#snapshots.set(id, undefined)
    const text = (await this.#ttlCache.find([String(id)])).get(String(id))
    const book = text === undefined ? undefined : parseLessonBook(text)
    if (book !== undefined) this.#snapshots.set(id, book)
    return this.#snapshots.get(id)
  }

  #write(id: number, book: ChannelLessonBook): void {
    this.#snapshots.set(id, book)
    this.#ttlCache.put(String(id), JSON.stringify(book))
  }

  #forgetHere(id: number): void {
    this.#write(id, { address: '', lessons: [] })
  }

  async #hear({ entity, id }: Notice): Promise<void> {
    if (entity === EVERYTHING)
      await Promise.all([...this.#snapshots.keys()].map((known) => this.#read(known)))
    if (id === undefined) return
    if (entity === LEARNED) await this.#read(Number(id))
    if (entity === FORGOTTEN) this.#forgetHere(Number(id))
  }
}
