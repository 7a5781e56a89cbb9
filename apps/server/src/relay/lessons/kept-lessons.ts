import { isRecord } from '@tollgate/dialects/json'
import {
  isAboutEveryModel,
  isLesson,
  findOppositeLesson,
  type LessonName,
} from '@tollgate/dialects/traits/lessons'

/** What a refusal taught about one model of a channel. */
export interface KeptLesson {
  /** The vendor's name of the model; "" for every model. */
  readonly model: string
  readonly name: LessonName
  /** Wall time. */
  readonly learnedMs: number
}

/** The lessons of one channel; they apply only to the address at which they were learned. */
export interface ChannelLessonBook {
  readonly address: string
  readonly lessons: readonly KeptLesson[]
}

/** After a day, requests are sent to the vendor in the caller's own form again. */
export const LESSON_LIFETIME_MS = 24 * 60 * 60 * 1000
export const LESSONS_PER_CHANNEL_MAX = 100
const MODEL_CHARACTERS_MAX = 255

/**
 * The list with one more lesson; the oldest are removed to make room. `undefined` when the model name is too
 * long to store.
 */
export function withLesson(
  lessons: readonly KeptLesson[],
  { model, name, learnedMs }: KeptLesson,
): readonly KeptLesson[] | undefined {
  if (model.length > MODEL_CHARACTERS_MAX) return undefined
  const learned = { model: isAboutEveryModel(name) ? '' : model, name, learnedMs }
  const replaced = [name, findOppositeLesson(name)]
  const others = lessons.filter((each) => !replaced.includes(each.name) || each.model !== learned.model)
  return [...others, learned].slice(-LESSONS_PER_CHANNEL_MAX)
}

export function stillKept(lessons: readonly KeptLesson[], nowMs: number): readonly KeptLesson[] {
  return lessons.filter(({ learnedMs }) => nowMs - learnedMs < LESSON_LIFETIME_MS)
}

/** Parses stored lessons, skipping what cannot be read: an older or newer version may know other lessons. */
export function parseLessonBook(text: string): ChannelLessonBook | undefined {
  const value: unknown = parsed(text)
  if (!isRecord(value) || typeof value['address'] !== 'string' || !Array.isArray(value['lessons']))
    return undefined
  return { address: value['address'], lessons: value['lessons'].flatMap(lessonOf) }
}

function lessonOf(value: unknown): readonly KeptLesson[] {
  if (!isRecord(value)) return []
  const { model, name, learnedMs } = value
  if (typeof model !== 'string' || typeof learnedMs !== 'number' || !isLesson(name)) return []
  return [{ model, name, learnedMs }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not valid JSON: something else was stored under this name.
    return undefined
  }
}
