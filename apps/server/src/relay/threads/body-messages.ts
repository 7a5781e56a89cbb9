import type { AskDefaults } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Member } from '@tollgate/dialects/json-scan'
import type { InputCount } from '@tollgate/dialects/tokens/input-visitor'
import type { ProblemCode, ProblemParameters } from '@tollgate/kit/problem'

/** What is asked of the thread that reads callers' bytes. */
export type BodyTask = ReadTask | WordsTask

/** What a body is read for: a call, or a task of the platform that stands at that place in the list of all. */
export type BodyUse = CallOperation | number

interface BodyToRead {
  readonly use: BodyUse
  readonly defaults: AskDefaults
  /** Moves to the thread and back. */
  readonly buffer: ArrayBuffer
  readonly length: number
}

/** Checks a body, parses it and counts its input. */
export interface ReadTask extends BodyToRead {
  readonly type: 'read'
  /** Words that are looked for at once, since that takes little. */
  readonly words: readonly string[] | undefined
}

/** Looks for refused words, in a body or in a text. */
export interface WordsTask {
  readonly type: 'words'
  readonly lines: readonly string[]
  readonly searched: BodyToRead | string
}

/** What of a large body is known before this process parses it; of a task nothing but that it is within the limits. */
export interface BodyFacts {
  readonly model: string
  readonly members: readonly Member[]
  readonly counted: InputCount
  /** The first refused word, of those that were looked for. */
  readonly word: string | undefined
}

export type BodyReply =
  | { readonly type: 'facts'; readonly facts: BodyFacts; readonly buffer: ArrayBuffer }
  | { readonly type: 'word'; readonly word: string | undefined; readonly buffer: ArrayBuffer | undefined }
  | { readonly type: 'problem'; readonly code: ProblemCode; readonly parameters: ProblemParameters }
  | { readonly type: 'bug'; readonly text: string }
