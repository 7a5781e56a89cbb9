import type { AskDefaults } from '@tollgate/dialects/ask'
import type { MemberPolicy } from '@tollgate/dialects/checked/take-out'
import type { JudgedNames } from '@tollgate/dialects/checked/findings'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Member } from '@tollgate/dialects/json-scan'
import type { InputCount } from '@tollgate/dialects/tokens/input-visitor'
import type { ProblemCode, ProblemParameters } from '@tollgate/problems/problem'

/** Messages to the worker thread that reads request bodies. */
export type BodyTask = ReadTask | WordsTask

/**
 * The purpose for which a body is read: an operation, or an API for tasks given by its index in the list of
 * these.
 */
export type BodyUse = CallOperation | number

interface BodyToRead {
  readonly use: BodyUse
  readonly defaults: AskDefaults
  readonly policy: MemberPolicy
  /** Transferred to the thread and back. */
  readonly buffer: ArrayBuffer
  readonly length: number
}

/** Checks and parses a body and counts its input tokens. */
export interface ReadTask extends BodyToRead {
  readonly type: 'read'
  /** Words to search for in the same step; only given when that is fast. */
  readonly words: readonly string[] | undefined
}

/** Searches a body or a text for refused words. */
export interface WordsTask {
  readonly type: 'words'
  readonly lines: readonly string[]
  readonly searched: BodyToRead | string
}

/**
 * What the thread found out about a large body before the main thread parses it; for a task body, only that
 * it is within the limits.
 */
export interface BodyFacts {
  readonly model: string
  /** Length of the body once members were taken out. */
  readonly length: number
  readonly members: readonly Member[]
  readonly names: JudgedNames | undefined
  readonly counted: InputCount
  /** The first refused word found. */
  readonly word: string | undefined
}

export type BodyReply =
  | { readonly type: 'facts'; readonly facts: BodyFacts; readonly buffer: ArrayBuffer }
  | { readonly type: 'word'; readonly word: string | undefined; readonly buffer: ArrayBuffer | undefined }
  | { readonly type: 'problem'; readonly code: ProblemCode; readonly parameters: ProblemParameters }
  | { readonly type: 'bug'; readonly text: string }
